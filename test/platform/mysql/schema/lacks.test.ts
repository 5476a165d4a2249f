import test from 'ava';
import { lackOf, tooOld } from '../../../../src/platform/mysql/schema/lacks.ts';

// Words of servers, as they are said: no server of the suite is that old, or lacks that.
const deServidor = (errno: number, message: string): Error => Object.assign(new Error(message), { errno });

test('diz-se numa linha que direito falta a quem migra', (t) => {
  const semCriar = deServidor(
    1142,
    "CREATE TABLE … - CREATE command denied to user 'malha'@'localhost' for table `m`.`a`",
  );
  t.regex(lackOf(semCriar)!, /não pode mudá-lo \(falta-lhe CREATE\): rode malha migrate pelo dono/);
  const semVista = deServidor(1142, "CREATE VIEW command denied to user 'malha'@'localhost' for table 'a'");
  t.regex(lackOf(semVista)!, /\(falta-lhe CREATE VIEW\)/);
  const semBanco = deServidor(1044, "Access denied for user 'malha'@'%' to database 'malha'");
  t.regex(lackOf(semBanco)!, /não pode mudá-lo: rode malha migrate pelo dono, que precisa de GRANT ALL/);
  const semSuper = deServidor(
    1227,
    'Access denied; you need (at least one of) the SUPER or SYSTEM_VARIABLES_ADMIN privilege(s) for this operation',
  );
  t.regex(lackOf(semSuper)!, /direito de administrador, .+ \(um destes: SUPER or SYSTEM_VARIABLES_ADMIN\)/);
  t.regex(lackOf(deServidor(1419, 'You do not have the SUPER privilege'))!, /log_bin_trust_function_creators/);
  t.is(lackOf(deServidor(1064, 'You have an error in your SQL syntax')), undefined);
  t.is(lackOf(new Error('outra coisa')), undefined);
});

test('um servidor mais velho do que o README admite é recusado pelo nome', (t) => {
  t.regex(tooOld('10.5.21-MariaDB-0+deb11u1')!, /^O servidor do banco é MariaDB 10\.5\.21: .+ MariaDB 10\.6/);
  t.regex(tooOld('5.7.44-log')!, /^O servidor do banco é MySQL 5\.7\.44: /);
  for (const version of [
    '10.6.0-MariaDB',
    '10.11.19-MariaDB-0+deb12u1',
    '11.4.2-MariaDB',
    '8.0.11',
    '8.0.mysql_aurora.3.04',
    '9.7.4',
  ])
    t.is(tooOld(version), null, version);
});
