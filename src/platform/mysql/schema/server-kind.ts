export type ServerKind = 'mariadb' | 'mysql';

/** By what a server, or a client program, says of itself: not all of MariaDB's programs write its name as the server does. */
export const kindOf = (version: string): ServerKind => (/mariadb/i.test(version) ? 'mariadb' : 'mysql');
