# Sourced by the database image, once, on an empty volume; by then MARIADB_USER, the owner of the schema, is there. Its right to
# grant is what gives the service's user, which has no rights of its own, those of each table: see src/domain/direitos.ts.
docker_process_sql <<SQL
CREATE USER 'malha'@'%' IDENTIFIED BY '$(docker_sql_escape_string_literal "$MALHA_DB_PASSWORD")';
GRANT ALL ON \`malha\`.* TO 'malha_dono'@'%' WITH GRANT OPTION;
SQL
