import test from 'ava';
import { foraDaLista } from './portabilidade.ts';

test('acha o que não está na lista do ADR, e deixa passar o que se parece com isso', (t) => {
  for (const sql of [
    'WITH RECURSIVE a AS (SELECT 1) SELECT * FROM a',
    'SELECT * FROM t, LATERAL (SELECT 1) x',
    'SELECT @n := @n + 1',
    'LOCK TABLES clientes WRITE',
    'CALL refazer()',
    "SELECT 1 INTO OUTFILE '/tmp/x'",
    "SELECT GET_LOCK('a', 1)",
    'SELECT id FROM t WHERE MATCH (nome) AGAINST (?)',
  ]) {
    t.is(typeof foraDaLista(sql), 'string', sql);
  }
  for (const sql of [
    'SELECT id FROM clientes WHERE nome = ? FOR UPDATE SKIP LOCKED',
    "INSERT INTO radreply (op, value) VALUES (':=', 'CALL x'), ('=', 'LOCK TABLES')",
    'SET SESSION foreign_key_checks = 0, @malha_avisa = 1',
    'SELECT SUM(n) OVER () FROM t STRAIGHT_JOIN u',
  ]) {
    t.is(foraDaLista(sql), undefined, sql);
  }
});
