import test from 'ava';
import { complaintOf } from '../../../src/app/backup/client-programs.ts';

const DUMP = '/usr/bin/mysqldump: terminou com o código 2';

// What mysqldump of MySQL 9.7 says to an owner who has rights on his database alone, where a binary log is kept.
const SEM_DIREITO =
  "mysqldump: Couldn't execute 'FLUSH TABLES': Access denied; you need (at least one of) the RELOAD or FLUSH_TABLES privilege(s) for this operation (1227)\n";

test('a quem falta o direito de ler a posição do log binário diz-se o que conceder', (t) => {
  t.regex(
    complaintOf(DUMP, SEM_DIREITO),
    /^Ao usuário de DATABASE_OWNER_URL falta um direito \(RELOAD or FLUSH_TABLES\) .+ GRANT RELOAD, REPLICATION CLIENT ON \*\.\*/,
  );
});

test('de qualquer outra falha diz-se a última linha do programa', (t) => {
  t.is(complaintOf(DUMP, 'aviso\nGot error: 2002\n'), 'mysqldump falhou: Got error: 2002');
});
