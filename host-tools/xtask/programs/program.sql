-- Tables, indices, joins, windows, recursion, text, JSON, triggers, transactions.
CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT, age INT, city INT);
CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
INSERT INTO city(name) VALUES ('Athens'), ('Berlin'), ('Cairo'), ('Delhi'), ('Essen');
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
INSERT INTO person(name, age, city)
  SELECT printf('p%05d', (i * 7919) % 100003), (i * 31) % 90, 1 + i % 5 FROM n;
COMMIT;
CREATE INDEX by_age ON person(age, city);
SELECT count(*), sum(age), min(name), max(name) FROM person;
SELECT c.name, count(*), round(avg(p.age), 3) FROM person p JOIN city c ON c.id = p.city
  GROUP BY c.id ORDER BY c.name;
SELECT age, count(*) AS n FROM person WHERE age BETWEEN 30 AND 34 GROUP BY age HAVING n > 10;
SELECT name, rank() OVER (PARTITION BY city ORDER BY age DESC, name) AS r FROM person
  WHERE id % 9000 = 1 ORDER BY name;
SELECT group_concat(x, '|') FROM (SELECT DISTINCT substr(name, 2, 1) AS x FROM person ORDER BY x);
SELECT a.name FROM person a JOIN person b ON a.name = b.name AND a.id < b.id ORDER BY 1 LIMIT 3;
SELECT json_extract('{"a":[1,2,{"b":"c"}]}', '$.a[2].b'), json_group_array(name) FROM city;
SELECT hex(zeroblob(2)), typeof(1.0), 7 / 2, 7 % -2, 1e300 * 1e10, abs(-9223372036854775807);
SELECT upper('straße'), replace('banana', 'an', '*'), instr('hello', 'l'), 'a' GLOB '[a-c]';
SELECT date('2024-02-29', '+1 year'), strftime('%j', '2023-12-31'), julianday('2000-01-01');
CREATE TABLE log(text);
CREATE TRIGGER aged AFTER UPDATE OF age ON person WHEN new.age > 88
  BEGIN INSERT INTO log VALUES (new.name || ' is ' || new.age); END;
UPDATE person SET age = age + 1 WHERE id % 1000 = 0;
SELECT count(*), min(text) FROM log;
SAVEPOINT s; DELETE FROM person WHERE age < 50; SELECT count(*) FROM person; ROLLBACK TO s;
SELECT count(*) FROM person;
EXPLAIN QUERY PLAN SELECT * FROM person WHERE age = 3 AND city = 2;
INSERT INTO city(name) VALUES ('Cairo');
PRAGMA integrity_check;
