1	sul	sul	N	Nc	NOUN	_	0	ROOT
3	dorvi	dorvi	V	Vm	VERB	_	1	SB

