"""Codes of languages, as the first half of a short treebank name (`en` in `en_ewt`).

ISO 639: two letters where there are two, otherwise three. A folder of a Universal
Dependencies release needs no table, because its files show the code of its language; this one
serves folders that are called by short names alone, and names as they are typed.
"""

from __future__ import annotations

_TABLE = """
af Afrikaans, akk Akkadian, am Amharic, ar Arabic, as Assamese, az Azerbaijani, bar Bavarian,
be Belarusian, bg Bulgarian, bm Bambara, bn Bengali, br Breton, bxr Buryat, ca Catalan,
ceb Cebuano, ckt Chukchi, cop Coptic, cs Czech, cu Old Church Slavonic, cy Welsh, da Danish,
de German, egy Egyptian, el Greek, en English, eo Esperanto, es Spanish, et Estonian, eu Basque,
fa Persian, fi Finnish, fo Faroese, fr French, fro Old French, fy Frisian, ga Irish,
gd Scottish Gaelic, gl Galician, gn Guarani, got Gothic, grc Ancient Greek, gsw Alemannic,
gu Gujarati, gv Manx, ha Hausa, hbo Ancient Hebrew, he Hebrew, hi Hindi, hit Hittite,
hr Croatian, hsb Upper Sorbian, ht Haitian Creole, hu Hungarian, hy Armenian,
hyw Western Armenian, id Indonesian, is Icelandic, it Italian, ja Japanese, jv Javanese,
ka Georgian, kk Kazakh, kn Kannada, ko Korean, ky Kyrgyz, la Latin, lb Luxembourgish,
lij Ligurian, lt Lithuanian, lv Latvian, lzh Classical Chinese, mk Macedonian, ml Malayalam,
mn Mongolian, mr Marathi, mt Maltese, myv Erzya, nds Low Saxon, ne Nepali, nl Dutch,
nn Norwegian Nynorsk, no Norwegian, oc Occitan, orv Old East Slavic, ota Ottoman Turkish,
pa Punjabi, pcm Naija, pl Polish, ps Pashto, pt Portuguese, ro Romanian, ru Russian,
sa Sanskrit, sah Yakut, sd Sindhi, si Sinhala, sk Slovak, sl Slovenian, sme North Sami,
so Somali, sq Albanian, sr Serbian, sv Swedish, sw Swahili, ta Tamil, te Telugu, th Thai,
tl Tagalog, tr Turkish, tt Tatar, ug Uyghur, uk Ukrainian, ur Urdu, uz Uzbek, vi Vietnamese,
wo Wolof, xcl Classical Armenian, yi Yiddish, yo Yoruba, yue Cantonese, zh Chinese
"""

LANGUAGES = dict(pair.strip().split(" ", 1) for pair in _TABLE.replace("\n", " ").split(","))
"""Languages by their code."""

CODES = {language.casefold(): code for code, language in LANGUAGES.items()}
"""Codes by the language's name, in lower case."""
