import type { Knex } from 'knex';

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

/**
 * What issuing fiscal notes (NFCom) needs of a note: `etapa` is what the worker has to do next, at `proxima_em`; null: nothing. `digest`: DigestValue of its signature. `pedido`: of an ajuste, which items and how much.
 */
const DA_NOTA: Readonly<Record<string, string>> = {
  contrato_id: 'BIGINT UNSIGNED NULL',
  finalidade: "ENUM('normal','substituicao','ajuste') NOT NULL DEFAULT 'normal'",
  substitui_id: 'BIGINT UNSIGNED NULL',
  pedido: 'JSON NULL',
  pedida_em: 'DATETIME(3) NULL',
  tipo_emissao: 'TINYINT UNSIGNED NOT NULL DEFAULT 1',
  codigo_numerico: `CHAR(7) ${ASCII} NULL`,
  digest: `CHAR(28) ${ASCII} NULL`,
  etapa: `ENUM('montar','enviar','consultar','conferir','cancelar','conferir_cancelamento') NULL`,
  proxima_em: 'DATETIME(3) NULL',
  tentativas: 'INT UNSIGNED NOT NULL DEFAULT 0',
  recusas: 'JSON NULL',
};

const TABELAS: Readonly<Record<string, string>> = {
  // A row a provider. What is null follows from the provider's registration, or is the default of the program.
  nfcom_configuracoes: `
    provedor_id          BIGINT UNSIGNED NOT NULL,
    automatica           TINYINT(1) NOT NULL DEFAULT 0,
    automatica_desde     DATE NULL,
    ambiente             ENUM('producao','homologacao') NOT NULL DEFAULT 'homologacao',
    serie                SMALLINT UNSIGNED NOT NULL DEFAULT 1,
    crt                  TINYINT UNSIGNED NOT NULL DEFAULT 1,
    inscricao_estadual   VARCHAR(14) ${ASCII} NULL,
    cnpj                 CHAR(14) ${ASCII} NULL,
    razao_social         VARCHAR(120) NULL,
    nome_fantasia        VARCHAR(120) NULL,
    cep                  CHAR(8) ${ASCII} NULL,
    logradouro           VARCHAR(150) NULL,
    numero               VARCHAR(20) NULL,
    complemento          VARCHAR(100) NULL,
    bairro               VARCHAR(100) NULL,
    cidade               VARCHAR(100) NULL,
    uf                   CHAR(2) ${ASCII} NULL,
    municipio_codigo     CHAR(7) ${ASCII} NULL,
    telefone             VARCHAR(12) ${ASCII} NULL,
    email                VARCHAR(254) NULL,
    sem_boleto           ENUM('recusar','linha_fixa') NOT NULL DEFAULT 'recusar',
    linha_fixa           VARCHAR(48) ${ASCII} NULL,
    contingencia_desde   DATETIME(3) NULL,
    contingencia_porque  VARCHAR(256) NULL,
    cancelamento_horas   SMALLINT UNSIGNED NOT NULL DEFAULT 120,
    esquema              VARCHAR(20) ${ASCII} NOT NULL DEFAULT 'NT2025.001',
    ibs_cbs              JSON NULL,
    autorizador          JSON NULL,
    autorizados          JSON NULL,
    informacoes          VARCHAR(2000) NULL,
    responsavel          JSON NULL,
    responsavel_csrt     VARBINARY(255) NULL,
    cas_extras           MEDIUMTEXT ${ASCII} NULL,
    atualizado_em        DATETIME(3) NOT NULL,
    PRIMARY KEY (provedor_id),
    CONSTRAINT nfcom_configuracoes_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)`,

  // The last one that was not removed holds. avisado: how many days before the end was said.
  nfcom_certificados: `
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    pfx          MEDIUMBLOB NOT NULL,
    senha        VARBINARY(512) NOT NULL,
    titular      VARCHAR(200) NOT NULL,
    cnpj         CHAR(14) ${ASCII} NULL,
    valido_de    DATETIME(3) NOT NULL,
    valido_ate   DATETIME(3) NOT NULL,
    avisado      SMALLINT UNSIGNED NULL,
    removido_em  DATETIME(3) NULL,
    criado_em    DATETIME(3) NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY nfcom_certificados_id (id),
    KEY nfcom_certificados_vivo (provedor_id, removido_em, id),
    KEY nfcom_certificados_fim (removido_em, valido_ate, provedor_id),
    CONSTRAINT nfcom_certificados_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)`,

  // Taxes of services, as the domain's types have them.
  nfcom_grupos: `
    provedor_id    BIGINT UNSIGNED NOT NULL,
    id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    nome           VARCHAR(80) NOT NULL,
    tributos       JSON NOT NULL,
    ibs_cbs        JSON NULL,
    removido_em    DATETIME(3) NULL,
    atualizado_em  DATETIME(3) NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY nfcom_grupos_id (id),
    CONSTRAINT nfcom_grupos_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)`,

  nfcom_servicos: `
    provedor_id    BIGINT UNSIGNED NOT NULL,
    id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    codigo         VARCHAR(60) NOT NULL,
    descricao      VARCHAR(120) NOT NULL,
    classe         CHAR(7) ${ASCII} NOT NULL,
    cfop           CHAR(4) ${ASCII} NULL,
    unidade        TINYINT UNSIGNED NOT NULL DEFAULT 4,
    grupo_id       BIGINT UNSIGNED NOT NULL,
    removido_em    DATETIME(3) NULL,
    atualizado_em  DATETIME(3) NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY nfcom_servicos_id (id),
    CONSTRAINT nfcom_servicos_grupo FOREIGN KEY (provedor_id, grupo_id) REFERENCES nfcom_grupos (provedor_id, id)`,

  // How a price splits: of a contract, else of its plan, else of the provider. dono: 'contrato:1', 'plano:1' or 'provedor'.
  nfcom_partes: `
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    dono         VARCHAR(30) ${ASCII} NOT NULL,
    plano_id     BIGINT UNSIGNED NULL,
    contrato_id  BIGINT UNSIGNED NULL,
    servico_id   BIGINT UNSIGNED NOT NULL,
    ordem        TINYINT UNSIGNED NOT NULL,
    descricao    VARCHAR(120) NULL,
    percentual   DECIMAL(7,4) NULL,
    valor        DECIMAL(12,2) NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY nfcom_partes_id (id),
    UNIQUE KEY nfcom_partes_ordem (provedor_id, dono, ordem),
    CONSTRAINT nfcom_partes_servico FOREIGN KEY (provedor_id, servico_id) REFERENCES nfcom_servicos (provedor_id, id),
    CONSTRAINT nfcom_partes_plano FOREIGN KEY (provedor_id, plano_id) REFERENCES planos (provedor_id, id) ON DELETE CASCADE,
    CONSTRAINT nfcom_partes_contrato FOREIGN KEY (provedor_id, contrato_id)
      REFERENCES contratos (provedor_id, id) ON DELETE CASCADE`,

  // What a client's registration does not say.
  nfcom_clientes: `
    provedor_id          BIGINT UNSIGNED NOT NULL,
    cliente_id           BIGINT UNSIGNED NOT NULL,
    indicador_ie         TINYINT UNSIGNED NOT NULL DEFAULT 9,
    inscricao_estadual   VARCHAR(14) ${ASCII} NULL,
    inscricao_municipal  VARCHAR(15) ${ASCII} NULL,
    tipo_assinante       TINYINT UNSIGNED NULL,
    municipio_codigo     CHAR(7) ${ASCII} NULL,
    retencoes            JSON NULL,
    PRIMARY KEY (provedor_id, cliente_id),
    CONSTRAINT nfcom_clientes_cliente FOREIGN KEY (provedor_id, cliente_id)
      REFERENCES clientes (provedor_id, id) ON DELETE CASCADE`,

  // Which municipality a city is, as addresses write it; cidade: without accents, in capital letters.
  nfcom_municipios: `
    provedor_id  BIGINT UNSIGNED NOT NULL,
    uf           CHAR(2) ${ASCII} NOT NULL,
    cidade       VARCHAR(100) ${ASCII} NOT NULL,
    codigo       CHAR(7) ${ASCII} NOT NULL,
    PRIMARY KEY (provedor_id, uf, cidade),
    CONSTRAINT nfcom_municipios_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)`,

  // The next number of each series; its row is locked by whoever takes one.
  nfcom_numeracao: `
    provedor_id  BIGINT UNSIGNED NOT NULL,
    ambiente     ENUM('producao','homologacao') NOT NULL,
    serie        SMALLINT UNSIGNED NOT NULL,
    proximo      INT UNSIGNED NOT NULL,
    PRIMARY KEY (provedor_id, ambiente, serie),
    CONSTRAINT nfcom_numeracao_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)`,

  // Numbers that a note had which was never authorised and never will be.
  nfcom_numeros_livres: `
    provedor_id      BIGINT UNSIGNED NOT NULL,
    ambiente         ENUM('producao','homologacao') NOT NULL,
    serie            SMALLINT UNSIGNED NOT NULL,
    numero           INT UNSIGNED NOT NULL,
    PRIMARY KEY (provedor_id, ambiente, serie, numero),
    CONSTRAINT nfcom_numeros_livres_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)`,

  // How a provider's authority answers; its row is locked by whoever takes notes to send. posse_ate: he has said by then what came of them.
  nfcom_filas: `
    provedor_id     BIGINT UNSIGNED NOT NULL,
    posse_ate       DATETIME(3) NULL,
    parada_ate      DATETIME(3) NULL,
    codigo          VARCHAR(40) ${ASCII} NULL,
    motivo          VARCHAR(500) NULL,
    falhas          INT UNSIGNED NOT NULL DEFAULT 0,
    status_em       DATETIME(3) NULL,
    status_codigo   VARCHAR(6) ${ASCII} NULL,
    rejeicao        VARCHAR(6) ${ASCII} NULL,
    rejeicoes       SMALLINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (provedor_id),
    CONSTRAINT nfcom_filas_provedor FOREIGN KEY (provedor_id) REFERENCES provedores (id)`,

  // What a note was signed as before it was signed anew.
  nfcom_versoes: `
    provedor_id   BIGINT UNSIGNED NOT NULL,
    id            BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    nfcom_id      BIGINT UNSIGNED NOT NULL,
    chave         CHAR(44) ${ASCII} NOT NULL,
    digest        CHAR(28) ${ASCII} NULL,
    emitida_em    DATETIME(3) NULL,
    xml_assinado  MEDIUMBLOB NULL,
    codigo        VARCHAR(40) ${ASCII} NULL,
    criado_em     DATETIME(3) NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY nfcom_versoes_id (id),
    KEY nfcom_versoes_nota (provedor_id, nfcom_id, id),
    KEY nfcom_versoes_chave (provedor_id, chave),
    CONSTRAINT nfcom_versoes_nota FOREIGN KEY (provedor_id, nfcom_id) REFERENCES nfcom (provedor_id, id) ON DELETE CASCADE`,

  // What was asked of the authority, and what it said.
  nfcom_tentativas: `
    provedor_id  BIGINT UNSIGNED NOT NULL,
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    nfcom_id     BIGINT UNSIGNED NOT NULL,
    operacao     ENUM('envio','consulta','cancelamento') NOT NULL,
    codigo       VARCHAR(6) ${ASCII} NULL,
    erro         VARCHAR(40) ${ASCII} NULL,
    duracao_ms   INT UNSIGNED NOT NULL,
    em           DATETIME(3) NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY nfcom_tentativas_id (id),
    KEY nfcom_tentativas_nota (provedor_id, nfcom_id, id),
    KEY nfcom_tentativas_idade (em),
    CONSTRAINT nfcom_tentativas_nota FOREIGN KEY (provedor_id, nfcom_id)
      REFERENCES nfcom (provedor_id, id) ON DELETE CASCADE`,

  // Cancellations: signed and committed before they are sent, like the notes.
  nfcom_eventos: `
    provedor_id    BIGINT UNSIGNED NOT NULL,
    id             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    nfcom_id       BIGINT UNSIGNED NOT NULL,
    estado         ENUM('pendente','registrado','recusado') NOT NULL DEFAULT 'pendente',
    justificativa  VARCHAR(255) NOT NULL,
    codigo         VARCHAR(6) ${ASCII} NULL,
    motivo         VARCHAR(500) NULL,
    xml_assinado   MEDIUMBLOB NULL,
    xml_resposta   MEDIUMBLOB NULL,
    pedido_em      DATETIME(3) NOT NULL,
    registrado_em  DATETIME(3) NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY nfcom_eventos_id (id),
    KEY nfcom_eventos_nota (provedor_id, nfcom_id, id),
    CONSTRAINT nfcom_eventos_nota FOREIGN KEY (provedor_id, nfcom_id) REFERENCES nfcom (provedor_id, id) ON DELETE CASCADE`,
};

const INDICES: Readonly<Record<string, string>> = {
  // What is to be done next, of whom, in the order in which it was asked for.
  nfcom_fila: 'KEY nfcom_fila (etapa, provedor_id, proxima_em, id)',
  nfcom_numero: 'KEY nfcom_numero (provedor_id, ambiente, serie, numero)',
  nfcom_situacao: 'KEY nfcom_situacao (provedor_id, situacao, id)',
  nfcom_autorizacao: 'KEY nfcom_autorizacao (provedor_id, autorizada_em, id)',
};

/** Issuing of fiscal notes: settings, certificates, services, the queue of each provider and what the authority said. */
export async function up(knex: Knex): Promise<void> {
  const faltam: string[] = [];
  for (const [coluna, tipo] of Object.entries(DA_NOTA)) {
    if (!(await knex.schema.hasColumn('nfcom', coluna))) faltam.push(`ADD COLUMN ${coluna} ${tipo}`);
  }
  for (const [nome, indice] of Object.entries(INDICES)) {
    const [ha = []] = await knex.raw<object[][]>('SHOW INDEX FROM nfcom WHERE Key_name = ?', [nome]);
    if (ha.length === 0) faltam.push(`ADD ${indice}`);
  }
  // Reasons of ours have longer names than the authority's codes.
  faltam.push(`MODIFY motivo_codigo VARCHAR(40) ${ASCII} NULL`);
  await knex.raw(`ALTER TABLE nfcom ${faltam.join(', ')}`);
  for (const [tabela, corpo] of Object.entries(TABELAS)) {
    await knex.raw(`CREATE TABLE IF NOT EXISTS ${tabela} (${corpo}) ENGINE=InnoDB`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of Object.keys(TABELAS).toReversed()) await knex.schema.dropTableIfExists(tabela);
  const fora = [
    ...Object.keys(INDICES).map((indice) => `DROP KEY ${indice}`),
    ...Object.keys(DA_NOTA).map((coluna) => `DROP COLUMN ${coluna}`),
  ];
  await knex.raw(`UPDATE nfcom SET motivo_codigo = LEFT(motivo_codigo, 6)`);
  await knex.raw(`ALTER TABLE nfcom ${fora.join(', ')}, MODIFY motivo_codigo VARCHAR(6) ${ASCII} NULL`);
}
