PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE model_drift_schema (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT model_drift_schema_pkc PRIMARY KEY (version_num)
);
INSERT INTO model_drift_schema VALUES('0001');
CREATE TABLE checks (
	id INTEGER NOT NULL, 
	target TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	due_at DOUBLE NOT NULL, 
	claimed_at DOUBLE NOT NULL, 
	state TEXT NOT NULL, 
	confirm_at DOUBLE, 
	closed_at DOUBLE, 
	usd_nanos BIGINT NOT NULL, 
	estimated_usd_nanos BIGINT NOT NULL, 
	tokens BIGINT NOT NULL, 
	requests BIGINT NOT NULL, 
	priced_requests BIGINT NOT NULL, 
	CONSTRAINT pk_checks PRIMARY KEY (id), 
	CONSTRAINT uq_checks_target_due_at UNIQUE (target, due_at)
);
INSERT INTO checks VALUES(1,'bot','scheduled',1800000000.0,1800000000.0,'closed',NULL,1800000060.0,80000000,0,280,2,2);
INSERT INTO checks VALUES(2,'bot','scheduled',1800086400.0,1800086400.0,'closed',NULL,1800086460.0,80000000,0,280,2,2);
INSERT INTO checks VALUES(3,'bot','scheduled',1800172800.0,1800172800.0,'closed',NULL,1800172860.0,80000000,0,280,2,2);
INSERT INTO checks VALUES(4,'bot','scheduled',1800259200.0,1800259200.0,'closed',NULL,1800259260.0,80000000,0,280,2,2);
INSERT INTO checks VALUES(5,'bot','scheduled',1800345600.0,1800345600.0,'running',NULL,NULL,40000000,0,140,2,1);
CREATE TABLE verdicts (
	check_id INTEGER NOT NULL, 
	target TEXT NOT NULL, 
	decided_at DOUBLE NOT NULL, 
	kind TEXT NOT NULL, 
	standing TEXT NOT NULL, 
	record TEXT NOT NULL, 
	CONSTRAINT pk_verdicts PRIMARY KEY (check_id), 
	CONSTRAINT fk_verdicts_check_id_checks FOREIGN KEY(check_id) REFERENCES checks (id)
);
INSERT INTO verdicts VALUES(1,'bot',1800000060.0,'stable','stable','{"target":"bot","check_id":1,"decided_at":1800000060.0,"kind":"stable","standing":"stable","protocol":"p1","runs":1,"questions_asked":2,"signals":[{"signal":"accuracy","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null},{"signal":"trend","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null},{"signal":"tokens","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null},{"signal":"identity","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null}],"baseline":{"runs":5,"runs_required":5,"frozen":false,"run_ids":[1,2,3,4,5],"left_out_run_ids":[],"started_at":null,"sometimes":[],"overdispersion_p_value":null,"pinned":false,"identities":[],"note":""},"tests":[],"accuracy":[],"questions":[],"flips":[],"served":[],"token_shift_ratio":null,"input_token_shift_ratio":null,"refusal_ratio":null,"truncated_ratio":null,"reasoning_in_content_ratio":null,"unusable_ratio":null,"answer_line_missing":0,"measurement_errors":[],"reason":null,"reason_message":"","failed_checks":0,"spend_usd":null,"estimate_usd":null,"estimate_tokens":null,"spend_tokens":0,"event_id":0,"notes":[]}');
INSERT INTO verdicts VALUES(2,'bot',1800086460.0,'stable','stable','{"target":"bot","check_id":2,"decided_at":1800086460.0,"kind":"stable","standing":"stable","protocol":"p1","runs":1,"questions_asked":2,"signals":[{"signal":"accuracy","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null},{"signal":"trend","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null},{"signal":"tokens","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null},{"signal":"identity","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null}],"baseline":{"runs":5,"runs_required":5,"frozen":false,"run_ids":[1,2,3,4,5],"left_out_run_ids":[],"started_at":null,"sometimes":[],"overdispersion_p_value":null,"pinned":false,"identities":[],"note":""},"tests":[],"accuracy":[],"questions":[],"flips":[],"served":[],"token_shift_ratio":null,"input_token_shift_ratio":null,"refusal_ratio":null,"truncated_ratio":null,"reasoning_in_content_ratio":null,"unusable_ratio":null,"answer_line_missing":0,"measurement_errors":[],"reason":null,"reason_message":"","failed_checks":0,"spend_usd":null,"estimate_usd":null,"estimate_tokens":null,"spend_tokens":0,"event_id":0,"notes":[]}');
INSERT INTO verdicts VALUES(3,'bot',1800172860.0,'stable','stable','{"target":"bot","check_id":3,"decided_at":1800172860.0,"kind":"stable","standing":"stable","protocol":"p1","runs":1,"questions_asked":2,"signals":[{"signal":"accuracy","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null},{"signal":"trend","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null},{"signal":"tokens","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null},{"signal":"identity","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null}],"baseline":{"runs":5,"runs_required":5,"frozen":false,"run_ids":[1,2,3,4,5],"left_out_run_ids":[],"started_at":null,"sometimes":[],"overdispersion_p_value":null,"pinned":false,"identities":[],"note":""},"tests":[],"accuracy":[],"questions":[],"flips":[],"served":[],"token_shift_ratio":null,"input_token_shift_ratio":null,"refusal_ratio":null,"truncated_ratio":null,"reasoning_in_content_ratio":null,"unusable_ratio":null,"answer_line_missing":0,"measurement_errors":[],"reason":null,"reason_message":"","failed_checks":0,"spend_usd":null,"estimate_usd":null,"estimate_tokens":null,"spend_tokens":0,"event_id":0,"notes":[]}');
INSERT INTO verdicts VALUES(4,'bot',1800259260.0,'drift','drift','{"target":"bot","check_id":4,"decided_at":1800259260.0,"kind":"drift","standing":"drift","protocol":"p1","runs":1,"questions_asked":2,"signals":[{"signal":"accuracy","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null},{"signal":"trend","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null},{"signal":"tokens","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null},{"signal":"identity","confirmed":false,"conclusive":false,"confirmed_checks":0,"ranked_checks":0,"ranked_at":null,"negative_checks":0,"negative_at":null,"since_at":null}],"baseline":{"runs":5,"runs_required":5,"frozen":false,"run_ids":[1,2,3,4,5],"left_out_run_ids":[],"started_at":null,"sometimes":[],"overdispersion_p_value":null,"pinned":false,"identities":[],"note":""},"tests":[],"accuracy":[],"questions":[],"flips":[],"served":[],"token_shift_ratio":null,"input_token_shift_ratio":null,"refusal_ratio":null,"truncated_ratio":null,"reasoning_in_content_ratio":null,"unusable_ratio":null,"answer_line_missing":0,"measurement_errors":[],"reason":null,"reason_message":"","failed_checks":0,"spend_usd":null,"estimate_usd":null,"estimate_tokens":null,"spend_tokens":0,"event_id":0,"notes":[]}');
CREATE TABLE runs (
	id INTEGER NOT NULL, 
	check_id INTEGER NOT NULL, 
	target TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	protocol TEXT NOT NULL, 
	started_at DOUBLE NOT NULL, 
	deadline_at DOUBLE NOT NULL, 
	state TEXT NOT NULL, 
	ended_at DOUBLE, 
	reason TEXT, 
	message TEXT NOT NULL, 
	CONSTRAINT pk_runs PRIMARY KEY (id), 
	CONSTRAINT uq_runs_check_id_number UNIQUE (check_id, number), 
	CONSTRAINT fk_runs_check_id_checks FOREIGN KEY(check_id) REFERENCES checks (id)
);
INSERT INTO runs VALUES(1,1,'bot',1,'p1',1800000000.0,1800000600.0,'measured',1800000060.0,NULL,'');
INSERT INTO runs VALUES(2,2,'bot',1,'p1',1800086400.0,1800087000.0,'measured',1800086460.0,NULL,'');
INSERT INTO runs VALUES(3,3,'bot',1,'p1',1800172800.0,1800173400.0,'measured',1800172860.0,NULL,'');
INSERT INTO runs VALUES(4,4,'bot',1,'p1',1800259200.0,1800259800.0,'measured',1800259260.0,NULL,'');
INSERT INTO runs VALUES(5,5,'bot',1,'p1',1800345600.0,1800346200.0,'open',NULL,NULL,'');
CREATE TABLE grades (
	run_id INTEGER NOT NULL, 
	question_key TEXT NOT NULL, 
	sample INTEGER NOT NULL, 
	attempt INTEGER NOT NULL, 
	question_id TEXT NOT NULL, 
	suite TEXT NOT NULL, 
	area TEXT NOT NULL, 
	"right" BOOLEAN, 
	graded_at DOUBLE NOT NULL, 
	reason TEXT, 
	message TEXT NOT NULL, 
	input_tokens BIGINT, 
	output_tokens BIGINT, 
	identity TEXT, 
	fingerprint TEXT, 
	answer_hash TEXT, 
	answer_line_missing BOOLEAN NOT NULL, 
	reasoning_in_content BOOLEAN NOT NULL, 
	latency_seconds DOUBLE NOT NULL, 
	CONSTRAINT pk_grades PRIMARY KEY (run_id, question_key, sample, attempt), 
	CONSTRAINT fk_grades_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id)
)
 WITHOUT ROWID

;
INSERT INTO grades VALUES(1,'key-q1',0,1,'q1','core','reasoning',1,1800000000.0,NULL,'',100,40,'gpt-5.5-2027','fp_1','2f1c',0,0,1.25);
INSERT INTO grades VALUES(1,'key-q2',0,1,'q2','core','reasoning',1,1800000000.0,NULL,'',100,40,'gpt-5.5-2027','fp_1','2f1c',0,0,1.25);
INSERT INTO grades VALUES(2,'key-q1',0,1,'q1','core','reasoning',1,1800086400.0,NULL,'',100,40,'gpt-5.5-2027','fp_1','2f1c',0,0,1.25);
INSERT INTO grades VALUES(2,'key-q2',0,1,'q2','core','reasoning',1,1800086400.0,NULL,'',100,40,'gpt-5.5-2027','fp_1','2f1c',0,0,1.25);
INSERT INTO grades VALUES(3,'key-q1',0,1,'q1','core','reasoning',1,1800172800.0,NULL,'',100,40,'gpt-5.5-2027','fp_1','2f1c',0,0,1.25);
INSERT INTO grades VALUES(3,'key-q2',0,1,'q2','core','reasoning',1,1800172800.0,NULL,'',100,40,'gpt-5.5-2027','fp_1','2f1c',0,0,1.25);
INSERT INTO grades VALUES(4,'key-q1',0,1,'q1','core','reasoning',1,1800259200.0,NULL,'',100,40,'gpt-5.5-2027','fp_1','2f1c',0,0,1.25);
INSERT INTO grades VALUES(4,'key-q2',0,1,'q2','core','reasoning',1,1800259200.0,NULL,'',100,40,'gpt-5.5-2027','fp_1','2f1c',0,0,1.25);
INSERT INTO grades VALUES(5,'key-q1',0,1,'q1','core','reasoning',0,1800000000.0,NULL,'',100,40,'gpt-5.5-2027','fp_1','2f1c',0,0,1.25);
CREATE TABLE requests (
	id INTEGER NOT NULL, 
	run_id INTEGER NOT NULL, 
	check_id INTEGER NOT NULL, 
	target TEXT NOT NULL, 
	question_key TEXT NOT NULL, 
	sample INTEGER NOT NULL, 
	attempt INTEGER NOT NULL, 
	day INTEGER NOT NULL, 
	reserved_at DOUBLE NOT NULL, 
	reserved_tokens BIGINT NOT NULL, 
	reserved_usd_nanos BIGINT, 
	settled_at DOUBLE, 
	tokens BIGINT, 
	usd_nanos BIGINT, 
	estimated BOOLEAN, 
	orphan BOOLEAN NOT NULL, 
	reason TEXT, 
	CONSTRAINT pk_requests PRIMARY KEY (id), 
	CONSTRAINT fk_requests_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id), 
	CONSTRAINT fk_requests_check_id_checks FOREIGN KEY(check_id) REFERENCES checks (id)
);
INSERT INTO requests VALUES(1,1,1,'bot','key-q1',0,1,20833,1800000000.0,1000,100000000,1800000000.0,140,40000000,0,0,NULL);
INSERT INTO requests VALUES(2,1,1,'bot','key-q2',0,1,20833,1800000000.0,1000,100000000,1800000000.0,140,40000000,0,0,NULL);
INSERT INTO requests VALUES(3,2,2,'bot','key-q1',0,1,20834,1800086400.0,1000,100000000,1800086400.0,140,40000000,0,0,NULL);
INSERT INTO requests VALUES(4,2,2,'bot','key-q2',0,1,20834,1800086400.0,1000,100000000,1800086400.0,140,40000000,0,0,NULL);
INSERT INTO requests VALUES(5,3,3,'bot','key-q1',0,1,20835,1800172800.0,1000,100000000,1800172800.0,140,40000000,0,0,NULL);
INSERT INTO requests VALUES(6,3,3,'bot','key-q2',0,1,20835,1800172800.0,1000,100000000,1800172800.0,140,40000000,0,0,NULL);
INSERT INTO requests VALUES(7,4,4,'bot','key-q1',0,1,20836,1800259200.0,1000,100000000,1800259200.0,140,40000000,0,0,NULL);
INSERT INTO requests VALUES(8,4,4,'bot','key-q2',0,1,20836,1800259200.0,1000,100000000,1800259200.0,140,40000000,0,0,NULL);
INSERT INTO requests VALUES(9,5,5,'bot','key-q1',0,1,20833,1800000000.0,1000,100000000,1800000000.0,0,NULL,0,0,'timeout');
INSERT INTO requests VALUES(10,5,5,'bot','key-q1',0,1,20833,1800000000.0,1000,100000000,1800000000.0,140,40000000,0,0,NULL);
INSERT INTO requests VALUES(11,5,5,'bot','key-q1',0,1,20833,1800000000.0,1000,100000000,NULL,NULL,NULL,NULL,0,NULL);
CREATE TABLE spend_days (
	target TEXT NOT NULL, 
	day INTEGER NOT NULL, 
	usd_nanos BIGINT NOT NULL, 
	estimated_usd_nanos BIGINT NOT NULL, 
	tokens BIGINT NOT NULL, 
	requests BIGINT NOT NULL, 
	priced_requests BIGINT NOT NULL, 
	CONSTRAINT pk_spend_days PRIMARY KEY (target, day)
)
 WITHOUT ROWID

;
INSERT INTO spend_days VALUES('',20833,120000000,0,420,4,3);
INSERT INTO spend_days VALUES('',20834,80000000,0,280,2,2);
INSERT INTO spend_days VALUES('',20835,80000000,0,280,2,2);
INSERT INTO spend_days VALUES('',20836,80000000,0,280,2,2);
INSERT INTO spend_days VALUES('bot',20833,120000000,0,420,4,3);
INSERT INTO spend_days VALUES('bot',20834,80000000,0,280,2,2);
INSERT INTO spend_days VALUES('bot',20835,80000000,0,280,2,2);
INSERT INTO spend_days VALUES('bot',20836,80000000,0,280,2,2);
CREATE TABLE counters (
	target TEXT NOT NULL, 
	family TEXT NOT NULL, 
	label TEXT NOT NULL, 
	value BIGINT NOT NULL, 
	CONSTRAINT pk_counters PRIMARY KEY (target, family, label)
)
 WITHOUT ROWID

;
INSERT INTO counters VALUES('bot','checks','drift',1);
INSERT INTO counters VALUES('bot','checks','stable',3);
INSERT INTO counters VALUES('bot','input_tokens','',900);
INSERT INTO counters VALUES('bot','output_tokens','',360);
INSERT INTO counters VALUES('bot','reasoning_tokens','',270);
INSERT INTO counters VALUES('bot','request_failures','timeout',1);
INSERT INTO counters VALUES('bot','requests','',10);
INSERT INTO counters VALUES('bot','spend_usd_nanos','',360000000);
CREATE TABLE events (
	id INTEGER NOT NULL, 
	target TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	happened_at DOUBLE NOT NULL, 
	protocol TEXT, 
	from_protocol TEXT, 
	run_ids TEXT NOT NULL, 
	identity TEXT, 
	suite TEXT, 
	question_keys TEXT NOT NULL, 
	note TEXT NOT NULL, 
	CONSTRAINT pk_events PRIMARY KEY (id)
);
INSERT INTO events VALUES(1,'bot','freeze',1800172800.0,'p1',NULL,'[1, 2]',NULL,NULL,'[]','');
CREATE TABLE identities (
	target TEXT NOT NULL, 
	identity TEXT NOT NULL, 
	fingerprint TEXT NOT NULL, 
	first_seen_at DOUBLE NOT NULL, 
	last_seen_at DOUBLE NOT NULL, 
	CONSTRAINT pk_identities PRIMARY KEY (target, identity, fingerprint)
)
 WITHOUT ROWID

;
INSERT INTO identities VALUES('bot','gpt-5.5-2027','',1800000000.0,1800000000.0);
INSERT INTO identities VALUES('bot','gpt-5.5-2027','fp_1',1800000000.0,1800000000.0);
CREATE TABLE errors (
	id INTEGER NOT NULL, 
	target TEXT NOT NULL, 
	happened_at DOUBLE NOT NULL, 
	reason TEXT NOT NULL, 
	message TEXT NOT NULL, 
	question_id TEXT, 
	CONSTRAINT pk_errors PRIMARY KEY (id)
);
INSERT INTO errors VALUES(1,'bot',1800000000.0,'timeout','no answer',NULL);
CREATE INDEX ix_checks_target_id ON checks (target, id);
CREATE INDEX ix_checks_open ON checks (target) WHERE closed_at IS NULL;
CREATE INDEX ix_verdicts_target_check_id ON verdicts (target, check_id);
CREATE INDEX ix_requests_open ON requests (run_id) WHERE settled_at IS NULL;
CREATE INDEX ix_events_target_id ON events (target, id);
CREATE INDEX ix_errors_target_id ON errors (target, id);
COMMIT;
