1	sul	sul	N	Nc	NOUN	_	2	SB
2	dorvi	dorvi	V	Vm	VERB	0	ROOT

