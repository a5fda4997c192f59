BEGIN TRANSACTION;
CREATE TABLE account (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	name_key TEXT NOT NULL, 
	role TEXT NOT NULL, 
	password TEXT, 
	created BIGINT NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT known_role CHECK (role IN ('member', 'organiser')), 
	UNIQUE (name_key)
);
INSERT INTO "account" VALUES('7b0e82b5caa79344d1813b7e','blue','blue','member','$argon2id$v=19$m=64,t=1,p=1$ajUs5bbpkheFVZs+emzsjA$qaTuHv2DevQqN1eHWdOypxQFnSlhb0LTcZhk1vlfTX0',1804248000000000);
CREATE TABLE audit (
	number INTEGER NOT NULL, 
	time BIGINT NOT NULL, 
	actor TEXT NOT NULL, 
	action TEXT NOT NULL, 
	object TEXT NOT NULL, 
	details TEXT NOT NULL, 
	previous TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	PRIMARY KEY (number), 
	UNIQUE (digest)
);
INSERT INTO "audit" VALUES(1,1804248000000000,'shell','add team','d2b2dc28ff4701d6dda535fb','{"name": "blue"}','0000000000000000000000000000000000000000000000000000000000000000','a86b8b896d8961cfdf6e58be3d2588699e2be3dfcc566938bf1c3f964afd3f2a');
INSERT INTO "audit" VALUES(2,1804248000000000,'shell','invite','f91ae29bf7cc5aa22b621407','{"account": null, "team": "d2b2dc28ff4701d6dda535fb"}','a86b8b896d8961cfdf6e58be3d2588699e2be3dfcc566938bf1c3f964afd3f2a','97c47a71875c2dd537ac2139cb21495072db1886c40c2249561f2657fb236088');
INSERT INTO "audit" VALUES(3,1804248000000000,'7b0e82b5caa79344d1813b7e','redeem invitation','7b0e82b5caa79344d1813b7e','{"invitation": "f91ae29bf7cc5aa22b621407", "name": "blue"}','97c47a71875c2dd537ac2139cb21495072db1886c40c2249561f2657fb236088','8b9a9950cc3e3c736ddb5aa2a881c84e681c99d4ec06e1b68608dbba9a647404');
INSERT INTO "audit" VALUES(4,1804248000000000,'7b0e82b5caa79344d1813b7e','submit','4a8be7823b251b46e5328ee4','{"content": "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed", "phase": "test", "received": "2027-03-05T12:00:00+00:00", "size": 3, "team": "d2b2dc28ff4701d6dda535fb", "track": "dependencies"}','8b9a9950cc3e3c736ddb5aa2a881c84e681c99d4ec06e1b68608dbba9a647404','992c4173de72af57619178b88670273ca9c737f3062edbf999217ec44dc94444');
CREATE TABLE board_page (
	audience TEXT NOT NULL, 
	path TEXT NOT NULL, 
	shown_from BIGINT NOT NULL, 
	media_type TEXT NOT NULL, 
	etag TEXT NOT NULL, 
	content BLOB NOT NULL, 
	built BIGINT NOT NULL, 
	PRIMARY KEY (audience, path, shown_from), 
	CONSTRAINT known_audience CHECK (audience IN ('public', 'participants', 'organisers'))
);
CREATE TABLE invitation (
	id TEXT NOT NULL, 
	secret TEXT NOT NULL, 
	team TEXT, 
	account TEXT, 
	created BIGINT NOT NULL, 
	expires BIGINT NOT NULL, 
	used BIGINT, 
	used_by TEXT, 
	PRIMARY KEY (id), 
	UNIQUE (secret), 
	FOREIGN KEY(team) REFERENCES team (id), 
	FOREIGN KEY(account) REFERENCES account (id), 
	FOREIGN KEY(used_by) REFERENCES account (id)
);
INSERT INTO "invitation" VALUES('f91ae29bf7cc5aa22b621407','e928810f62f7b691c4e2a695a23f0bbe594fe502642590a52bde76e05ad78083','d2b2dc28ff4701d6dda535fb',NULL,1804248000000000,1805457600000000,1804248000000000,'7b0e82b5caa79344d1813b7e');
CREATE TABLE job (
	id TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	submission TEXT, 
	state TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	attempt INTEGER NOT NULL, 
	worker TEXT, 
	lease BIGINT, 
	finished BIGINT, 
	message TEXT, 
	PRIMARY KEY (id), 
	CONSTRAINT known_kind CHECK (kind IN ('score', 'board')), 
	CONSTRAINT known_state CHECK (state IN ('waiting', 'running', 'done', 'failed')), 
	FOREIGN KEY(submission) REFERENCES submission (id)
);
INSERT INTO "job" VALUES('cee3cb1dc5a545a175cad213','score','4a8be7823b251b46e5328ee4','waiting',1804248000000000,0,NULL,NULL,NULL,NULL);
CREATE TABLE member (
	account TEXT NOT NULL, 
	team TEXT NOT NULL, 
	joined BIGINT NOT NULL, 
	PRIMARY KEY (account), 
	FOREIGN KEY(account) REFERENCES account (id), 
	FOREIGN KEY(team) REFERENCES team (id)
);
INSERT INTO "member" VALUES('7b0e82b5caa79344d1813b7e','d2b2dc28ff4701d6dda535fb',1804248000000000);
CREATE TABLE phase_change (
	number INTEGER NOT NULL, 
	phase TEXT NOT NULL, 
	what TEXT NOT NULL, 
	moment BIGINT NOT NULL, 
	made BIGINT NOT NULL, 
	account TEXT, 
	reason TEXT NOT NULL, 
	PRIMARY KEY (number), 
	CONSTRAINT known_what CHECK (what IN ('closes', 'scores')), 
	FOREIGN KEY(account) REFERENCES account (id)
);
CREATE TABLE result (
	submission TEXT NOT NULL, 
	scorer TEXT NOT NULL, 
	document BLOB NOT NULL, 
	sha256 TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	PRIMARY KEY (submission, scorer), 
	FOREIGN KEY(submission) REFERENCES submission (id)
);
CREATE TABLE session (
	id TEXT NOT NULL, 
	secret TEXT NOT NULL, 
	account TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	expires BIGINT NOT NULL, 
	revoked BIGINT, 
	PRIMARY KEY (id), 
	UNIQUE (secret), 
	FOREIGN KEY(account) REFERENCES account (id)
);
CREATE TABLE setting (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "setting" VALUES('schema','1');
INSERT INTO "setting" VALUES('challenge','served');
CREATE TABLE submission (
	id TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	team TEXT NOT NULL, 
	account TEXT NOT NULL, 
	phase TEXT NOT NULL, 
	track TEXT NOT NULL, 
	content TEXT NOT NULL, 
	size BIGINT NOT NULL, 
	began BIGINT NOT NULL, 
	received BIGINT NOT NULL, 
	receipt TEXT NOT NULL, 
	state TEXT NOT NULL, 
	decided BIGINT, 
	canonical TEXT, 
	system TEXT, 
	findings TEXT, 
	chosen BIGINT, 
	PRIMARY KEY (id), 
	CONSTRAINT one_submission_a_content UNIQUE (team, phase, track, content), 
	CONSTRAINT known_state CHECK (state IN ('waiting', 'accepted', 'refused', 'failed')), 
	UNIQUE (number), 
	FOREIGN KEY(team) REFERENCES team (id), 
	FOREIGN KEY(account) REFERENCES account (id)
);
INSERT INTO "submission" VALUES('4a8be7823b251b46e5328ee4',1,'d2b2dc28ff4701d6dda535fb','7b0e82b5caa79344d1813b7e','test','dependencies','7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',3,1804248000000000,1804248000000000,'992c4173de72af57619178b88670273ca9c737f3062edbf999217ec44dc94444','waiting',NULL,NULL,NULL,NULL,NULL);
CREATE TABLE team (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	name_key TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	withdrawn BIGINT, 
	PRIMARY KEY (id), 
	UNIQUE (name_key)
);
INSERT INTO "team" VALUES('d2b2dc28ff4701d6dda535fb','blue','blue',1804248000000000,NULL);
CREATE TABLE token (
	id TEXT NOT NULL, 
	secret TEXT NOT NULL, 
	account TEXT NOT NULL, 
	name TEXT NOT NULL, 
	created BIGINT NOT NULL, 
	expires BIGINT, 
	revoked BIGINT, 
	PRIMARY KEY (id), 
	UNIQUE (secret), 
	FOREIGN KEY(account) REFERENCES account (id)
);
CREATE INDEX ix_member_team ON member (team);
CREATE INDEX ix_session_account ON session (account);
CREATE INDEX ix_token_account ON token (account);
CREATE INDEX ix_submission_content ON submission (content);
CREATE INDEX job_by_state ON job (state, created);
CREATE INDEX ix_job_submission ON job (submission);
COMMIT;
