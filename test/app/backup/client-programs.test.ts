import { readFileSync } from 'node:fs';
import test from 'ava';
import { complaintOf, withLogin } from '../../../src/app/backup/client-programs.ts';

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

test('um banco que pede TLS o pede a cada programa com a opção que ele conhece', async (t) => {
  const login = async (kind: 'mariadb' | 'mysql', url: string): Promise<string> =>
    withLogin(url, kind, async (argumento) => Promise.resolve(readFileSync(argumento.split('=')[1] ?? '', 'utf8')));
  const url = 'mysql://dono:s%22enha@db.example/malha';
  t.regex(await login('mariadb', `${url}?ssl=true`), /\nssl\n$/);
  t.regex(await login('mysql', `${url}?ssl=true`), /\nssl-mode=REQUIRED\n$/);
  t.is(
    await login('mysql', url),
    '[client]\nuser="dono"\npassword="s\\"enha"\nhost="db.example"\nport=3306\nprotocol=TCP\n',
  );
});
