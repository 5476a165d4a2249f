import type { Knex } from 'knex';

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

const TABELAS: Readonly<Record<string, string>> = {
  // An account has several, of which one issues (`emite`); the others still take what their boletos are answered. proximo_nsa: of the next
  // file. recusa: why that of the day recusada_em could not be made. ajustes: what its bank has otherwise than public programs, as JSON.
  convenios_bancarios: `
    provedor_id        BIGINT UNSIGNED NOT NULL,
    id                 BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    cobrador_id        BIGINT UNSIGNED NOT NULL,
    nome               VARCHAR(120) NOT NULL,
    banco              CHAR(3) ${ASCII} NOT NULL,
    formato            CHAR(3) ${ASCII} NOT NULL,
    agencia            VARCHAR(8) ${ASCII} NOT NULL DEFAULT '',
    agencia_dv         VARCHAR(2) ${ASCII} NOT NULL DEFAULT '',
    conta              VARCHAR(20) ${ASCII} NOT NULL DEFAULT '',
    conta_dv           VARCHAR(2) ${ASCII} NOT NULL DEFAULT '',
    carteira           VARCHAR(8) ${ASCII} NOT NULL DEFAULT '',
    variacao           VARCHAR(8) ${ASCII} NOT NULL DEFAULT '',
    codigo             VARCHAR(20) ${ASCII} NOT NULL DEFAULT '',
    codigo_transmissao VARCHAR(20) ${ASCII} NOT NULL DEFAULT '',
    posto              VARCHAR(8) ${ASCII} NOT NULL DEFAULT '',
    teste              TINYINT(1) NOT NULL DEFAULT 0,
    juros_ao_mes       SMALLINT UNSIGNED NOT NULL DEFAULT 0,
    multa              SMALLINT UNSIGNED NOT NULL DEFAULT 0,
    baixa_em_dias      SMALLINT UNSIGNED NULL,
    ajustes            JSON NULL,
    emite              TINYINT(1) NOT NULL DEFAULT 0,
    proximo_nsa        INT UNSIGNED NOT NULL DEFAULT 1,
    recusa             VARCHAR(40) ${ASCII} NULL,
    recusada_em        DATE NULL,
    criado_em          DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    atualizado_em      DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
    emite_por          BIGINT UNSIGNED GENERATED ALWAYS AS (IF(emite = 1, cobrador_id, NULL)) STORED,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY convenios_bancarios_id (id),
    UNIQUE KEY convenios_bancarios_emite (provedor_id, emite_por),
    KEY convenios_bancarios_cobrador (provedor_id, cobrador_id),
    CONSTRAINT convenios_bancarios_cobrador FOREIGN KEY (provedor_id, cobrador_id)
      REFERENCES cobradores (provedor_id, id)`,

  // The next nosso número of an agreement; serie: '' or, where numbers begin anew each year, the year of two digits and the byte.
  convenios_sequencias: `
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    convenio_id  BIGINT UNSIGNED NOT NULL,
    serie        VARCHAR(8) ${ASCII} NOT NULL,
    proxima      BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY convenios_sequencias_id (id),
    UNIQUE KEY convenios_sequencias_serie (provedor_id, convenio_id, serie),
    CONSTRAINT convenios_sequencias_convenio FOREIGN KEY (provedor_id, convenio_id)
      REFERENCES convenios_bancarios (provedor_id, id)`,

  // A file for the bank. baixada_em: first taken; enviada_em: somebody said that the bank has it, or the bank answered.
  remessas: `
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    convenio_id  BIGINT UNSIGNED NOT NULL,
    nsa          INT UNSIGNED NOT NULL,
    nome         VARCHAR(40) ${ASCII} NOT NULL,
    dia          DATE NOT NULL,
    entradas     INT UNSIGNED NOT NULL,
    instrucoes   INT UNSIGNED NOT NULL,
    total        DECIMAL(14,2) NOT NULL,
    criada_em    DATETIME(3) NOT NULL,
    baixada_em   DATETIME(3) NULL,
    enviada_em   DATETIME(3) NULL,
    desfeita_em  DATETIME(3) NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY remessas_id (id),
    UNIQUE KEY remessas_nsa (provedor_id, convenio_id, nsa),
    KEY remessas_dia (provedor_id, convenio_id, dia),
    CONSTRAINT remessas_convenio FOREIGN KEY (provedor_id, convenio_id)
      REFERENCES convenios_bancarios (provedor_id, id)`,

  // A title at a bank. numero: without its digit, '' until the bank has numbered it (then NULL in the key); vencimento, valor: as the bank
  // has them. pago_por_pix: by what key its bank tells of the PIX that paid it. situacao: 'desfeito' was in a file that never left. vivo: an invoice has one that the bank may have, at most.
  boletos: `
    provedor_id    BIGINT UNSIGNED NOT NULL,
    id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    fatura_id      BIGINT UNSIGNED NOT NULL,
    convenio_id    BIGINT UNSIGNED NOT NULL,
    remessa_id     BIGINT UNSIGNED NULL,
    numero         VARCHAR(20) ${ASCII} NULL,
    dv             CHAR(1) ${ASCII} NULL,
    situacao       ENUM('enviado','registrado','rejeitado','baixado','liquidado','desfeito') NOT NULL,
    valor          DECIMAL(12,2) NOT NULL,
    vencimento     DATE NOT NULL,
    linha          VARCHAR(48) ${ASCII} NULL,
    barras         CHAR(44) ${ASCII} NULL,
    pix            VARCHAR(512) NULL,
    pago_por_pix   VARCHAR(120) ${ASCII} NULL,
    motivos        JSON NULL,
    criado_em      DATETIME(3) NOT NULL,
    registrado_em  DATETIME(3) NULL,
    encerrado_em   DATETIME(3) NULL,
    vivo           TINYINT(1) GENERATED ALWAYS AS (IF(situacao IN ('enviado','registrado'), 1, NULL)) STORED,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY boletos_id (id),
    UNIQUE KEY boletos_numero (provedor_id, numero, convenio_id),
    UNIQUE KEY boletos_vivo (provedor_id, vivo, fatura_id),
    KEY boletos_fatura (provedor_id, fatura_id, id),
    KEY boletos_situacao (provedor_id, convenio_id, situacao, id),
    KEY boletos_remessa (provedor_id, remessa_id),
    CONSTRAINT boletos_fatura FOREIGN KEY (provedor_id, fatura_id) REFERENCES faturas (provedor_id, id) ON DELETE CASCADE,
    CONSTRAINT boletos_convenio FOREIGN KEY (provedor_id, convenio_id)
      REFERENCES convenios_bancarios (provedor_id, id),
    CONSTRAINT boletos_remessa FOREIGN KEY (provedor_id, remessa_id) REFERENCES remessas (provedor_id, id)`,

  // What was asked of the bank for a title that it has. pendente: one at a time for each title.
  boletos_instrucoes: `
    provedor_id    BIGINT UNSIGNED NOT NULL,
    id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    boleto_id      BIGINT UNSIGNED NOT NULL,
    remessa_id     BIGINT UNSIGNED NOT NULL,
    movimento      ENUM('baixa','vencimento','valor') NOT NULL,
    vencimento     DATE NULL,
    valor          DECIMAL(12,2) NULL,
    situacao       ENUM('pedida','confirmada','recusada','desfeita') NOT NULL DEFAULT 'pedida',
    motivos        JSON NULL,
    criada_em      DATETIME(3) NOT NULL,
    respondida_em  DATETIME(3) NULL,
    pendente       TINYINT(1) GENERATED ALWAYS AS (IF(situacao = 'pedida', 1, NULL)) STORED,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY boletos_instrucoes_id (id),
    UNIQUE KEY boletos_instrucoes_pendente (provedor_id, pendente, boleto_id),
    KEY boletos_instrucoes_boleto (provedor_id, boleto_id, id),
    KEY boletos_instrucoes_remessa (provedor_id, remessa_id),
    CONSTRAINT boletos_instrucoes_boleto FOREIGN KEY (provedor_id, boleto_id)
      REFERENCES boletos (provedor_id, id) ON DELETE CASCADE,
    CONSTRAINT boletos_instrucoes_remessa FOREIGN KEY (provedor_id, remessa_id)
      REFERENCES remessas (provedor_id, id)`,

  // A file of the bank's, once however often it is sent (resumo_do_arquivo: SHA-256). feitas: parts that are done. falhas: how often in a
  // row the next one could not be done, and tentar_em: when it is tried again.
  retornos: `
    provedor_id   BIGINT UNSIGNED NOT NULL,
    id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    convenio_id   BIGINT UNSIGNED NOT NULL,
    nome          VARCHAR(255) NOT NULL,
    sha256        BINARY(32) NOT NULL,
    gravado_em    DATE NULL,
    linhas        INT UNSIGNED NOT NULL,
    partes        INT UNSIGNED NOT NULL,
    feitas        INT UNSIGNED NOT NULL DEFAULT 0,
    falhas        INT UNSIGNED NOT NULL DEFAULT 0,
    tentar_em     DATETIME(3) NULL,
    contas        JSON NULL,
    recebido_em   DATETIME(3) NOT NULL,
    concluido_em  DATETIME(3) NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY retornos_id (id),
    UNIQUE KEY retornos_arquivo (provedor_id, sha256),
    KEY retornos_por_fazer (concluido_em, provedor_id),
    KEY retornos_recebidos (provedor_id, recebido_em),
    CONSTRAINT retornos_convenio FOREIGN KEY (provedor_id, convenio_id)
      REFERENCES convenios_bancarios (provedor_id, id)`,

  // Files as they were sent or came, compressed: they name people, and go before what they did.
  arquivos_bancarios: `
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    remessa_id   BIGINT UNSIGNED NULL,
    retorno_id   BIGINT UNSIGNED NULL,
    conteudo     LONGBLOB NOT NULL,
    criado_em    DATETIME(3) NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY arquivos_bancarios_id (id),
    UNIQUE KEY arquivos_bancarios_remessa (provedor_id, remessa_id),
    UNIQUE KEY arquivos_bancarios_retorno (provedor_id, retorno_id),
    KEY arquivos_bancarios_idade (criado_em, provedor_id, id),
    CONSTRAINT arquivos_bancarios_remessa FOREIGN KEY (provedor_id, remessa_id)
      REFERENCES remessas (provedor_id, id),
    CONSTRAINT arquivos_bancarios_retorno FOREIGN KEY (provedor_id, retorno_id)
      REFERENCES retornos (provedor_id, id)`,

  // What of a file is read at a time: its occurrences, as compressed JSON.
  retornos_partes: `
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    retorno_id   BIGINT UNSIGNED NOT NULL,
    ordem        INT UNSIGNED NOT NULL,
    conteudo     MEDIUMBLOB NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY retornos_partes_id (id),
    UNIQUE KEY retornos_partes_ordem (provedor_id, retorno_id, ordem),
    CONSTRAINT retornos_partes_retorno FOREIGN KEY (provedor_id, retorno_id)
      REFERENCES retornos (provedor_id, id) ON DELETE CASCADE`,

  // What each line of a file did.
  retornos_linhas: `
    provedor_id   BIGINT UNSIGNED NOT NULL,
    id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    retorno_id    BIGINT UNSIGNED NOT NULL,
    linha         INT UNSIGNED NOT NULL,
    movimento     VARCHAR(4) ${ASCII} NOT NULL,
    classe        VARCHAR(12) ${ASCII} NOT NULL,
    resultado     VARCHAR(20) ${ASCII} NOT NULL,
    numero        VARCHAR(20) ${ASCII} NOT NULL,
    boleto_id     BIGINT UNSIGNED NULL,
    fatura_id     BIGINT UNSIGNED NULL,
    valor         DECIMAL(12,2) NOT NULL,
    tarifa        DECIMAL(12,2) NOT NULL,
    dia           DATE NULL,
    motivos       JSON NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY retornos_linhas_id (id),
    UNIQUE KEY retornos_linhas_linha (provedor_id, retorno_id, linha),
    KEY retornos_linhas_resultado (provedor_id, retorno_id, resultado, linha),
    CONSTRAINT retornos_linhas_retorno FOREIGN KEY (provedor_id, retorno_id)
      REFERENCES retornos (provedor_id, id) ON DELETE CASCADE`,

  // What the bank takes for itself: the provider's cost. chave: a fee is told once, by whichever file.
  boletos_tarifas: `
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    convenio_id  BIGINT UNSIGNED NOT NULL,
    retorno_id   BIGINT UNSIGNED NOT NULL,
    boleto_id    BIGINT UNSIGNED NULL,
    chave        VARCHAR(120) ${ASCII} NOT NULL,
    dia          DATE NOT NULL,
    valor        DECIMAL(12,2) NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY boletos_tarifas_id (id),
    UNIQUE KEY boletos_tarifas_chave (provedor_id, chave),
    KEY boletos_tarifas_dia (provedor_id, convenio_id, dia),
    KEY boletos_tarifas_retorno (provedor_id, retorno_id),
    CONSTRAINT boletos_tarifas_convenio FOREIGN KEY (provedor_id, convenio_id)
      REFERENCES convenios_bancarios (provedor_id, id),
    CONSTRAINT boletos_tarifas_retorno FOREIGN KEY (provedor_id, retorno_id) REFERENCES retornos (provedor_id, id)`,
};

/**
 * Boletos that are the provider's to register at its bank. `faturas.boleto_situacao` is null of an invoice whose boleto, if it has one, is
 * not: what was imported or pasted stays as it is. Line and bars of an invoice whose boleto is ours are written once the bank has it.
 */
export async function up(knex: Knex): Promise<void> {
  for (const [tabela, colunas] of Object.entries(TABELAS)) {
    await knex.raw(`CREATE TABLE IF NOT EXISTS ${tabela} (${colunas}) ENGINE=InnoDB`);
  }
  if (!(await knex.schema.hasColumn('faturas', 'boleto_situacao'))) {
    await knex.raw(
      `ALTER TABLE faturas ADD COLUMN boleto_situacao ENUM('a_registrar','enviado','registrado','rejeitado','baixado') NULL`,
    );
  }
  if (await temIndice(knex)) return;
  await knex.raw(
    'ALTER TABLE faturas ADD KEY faturas_boleto (provedor_id, boleto_situacao, id), ALGORITHM=INPLACE, LOCK=NONE',
  );
}

async function temIndice(knex: Knex): Promise<boolean> {
  const [rows] = (await knex.raw("SHOW INDEX FROM faturas WHERE Key_name = 'faturas_boleto'")) as [unknown[]];
  return rows.length > 0;
}

export async function down(knex: Knex): Promise<void> {
  if (await temIndice(knex)) await knex.raw('ALTER TABLE faturas DROP KEY faturas_boleto');
  if (await knex.schema.hasColumn('faturas', 'boleto_situacao')) {
    await knex.raw('ALTER TABLE faturas DROP COLUMN boleto_situacao');
  }
  for (const tabela of Object.keys(TABELAS).toReversed()) await knex.schema.dropTableIfExists(tabela);
}
