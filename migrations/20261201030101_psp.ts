import type { Knex } from 'knex';

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

const TABELAS: Readonly<Record<string, string>> = {
  // How a PSP is spoken to about the charges of one account. segredos: sealed JSON. visto_ate: up to when its account's invoices were looked at; lido_ate: its PIX. parada_ate: it is not called before.
  psp_convenios: `
    provedor_id         BIGINT UNSIGNED NOT NULL,
    id                  BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    cobrador_id         BIGINT UNSIGNED NOT NULL,
    ativo               TINYINT(1) NOT NULL DEFAULT 0,
    adaptador           VARCHAR(20) ${ASCII} NOT NULL,
    base                VARCHAR(500) ${ASCII} NOT NULL,
    token_url           VARCHAR(500) ${ASCII} NOT NULL,
    chave               VARCHAR(77) NOT NULL,
    tipo                ENUM('cobv','cob') NOT NULL DEFAULT 'cobv',
    validade_dias       SMALLINT UNSIGNED NOT NULL DEFAULT 60,
    caminhos            JSON NULL,
    cas_extras          MEDIUMTEXT ${ASCII} NULL,
    segredos            MEDIUMBLOB NOT NULL,
    versao              INT UNSIGNED NOT NULL DEFAULT 1,
    certificado_titular VARCHAR(200) NULL,
    certificado_ate     DATETIME(3) NULL,
    certificado_avisado SMALLINT UNSIGNED NULL,
    receptor_id         BIGINT UNSIGNED NULL,
    webhook             ENUM('registrado','sumiu') NULL,
    webhook_visto_em    DATETIME(3) NULL,
    visto_ate           DATETIME(3) NULL,
    lido_ate            DATETIME(3) NULL,
    leitura_em          DATETIME(3) NULL,
    relido_em           DATETIME(3) NULL,
    parada_ate          DATETIME(3) NULL,
    codigo              VARCHAR(60) ${ASCII} NULL,
    motivo              VARCHAR(300) NULL,
    falhas              INT UNSIGNED NOT NULL DEFAULT 0,
    criado_em           DATETIME(3) NOT NULL,
    atualizado_em       DATETIME(3) NOT NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY psp_convenios_id (id),
    UNIQUE KEY psp_convenios_cobrador (provedor_id, cobrador_id),
    KEY psp_convenios_ativo (ativo, leitura_em),
    KEY psp_convenios_fim (certificado_ate),
    CONSTRAINT psp_convenios_cobrador FOREIGN KEY (provedor_id, cobrador_id) REFERENCES cobradores (provedor_id, id)`,

  // Charges at a PSP. viva: 1 while it is the invoice's, else null. etapa: what is to be done next, at proxima_em; null: nothing.
  psp_cobrancas: `
    provedor_id         BIGINT UNSIGNED NOT NULL,
    id                  BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    convenio_id         BIGINT UNSIGNED NOT NULL,
    fatura_id           BIGINT UNSIGNED NOT NULL,
    txid                VARCHAR(35) ${ASCII} NOT NULL,
    txid_anterior       VARCHAR(35) ${ASCII} NULL,
    tipo                ENUM('cobv','cob') NOT NULL,
    estado              ENUM('nova','ativa','concluida','removida','recusada') NOT NULL DEFAULT 'nova',
    viva                TINYINT(1) NULL DEFAULT 1,
    etapa               ENUM('emitir','alterar','remover') NULL,
    proxima_em          DATETIME(3) NULL,
    tentativas          INT UNSIGNED NOT NULL DEFAULT 0,
    valor               DECIMAL(12,2) NOT NULL,
    vencimento          DATE NOT NULL,
    multa               SMALLINT UNSIGNED NOT NULL DEFAULT 0,
    juros_modalidade    TINYINT UNSIGNED NULL,
    juros               DECIMAL(12,2) NOT NULL DEFAULT 0,
    validade_dias       SMALLINT UNSIGNED NOT NULL,
    expira_em           DATETIME(3) NOT NULL,
    valor_fatura        DECIMAL(12,2) NOT NULL,
    vencimento_fatura   DATE NOT NULL,
    location            VARCHAR(77) ${ASCII} NULL,
    copia_cola          VARCHAR(512) NULL,
    codigo              VARCHAR(60) ${ASCII} NULL,
    motivo              VARCHAR(300) NULL,
    criado_em           DATETIME(3) NOT NULL,
    emitida_em          DATETIME(3) NULL,
    encerrada_em        DATETIME(3) NULL,
    PRIMARY KEY (provedor_id, id),
    UNIQUE KEY psp_cobrancas_id (id),
    UNIQUE KEY psp_cobrancas_txid (provedor_id, txid),
    UNIQUE KEY psp_cobrancas_viva (provedor_id, viva, fatura_id),
    KEY psp_cobrancas_anterior (provedor_id, txid_anterior),
    KEY psp_cobrancas_fatura (provedor_id, fatura_id, id),
    KEY psp_cobrancas_fila (convenio_id, provedor_id, proxima_em, id),
    KEY psp_cobrancas_fim (provedor_id, viva, expira_em, id),
    KEY psp_cobrancas_estado (provedor_id, convenio_id, estado, id),
    CONSTRAINT psp_cobrancas_convenio FOREIGN KEY (provedor_id, convenio_id) REFERENCES psp_convenios (provedor_id, id),
    CONSTRAINT psp_cobrancas_fatura FOREIGN KEY (provedor_id, fatura_id) REFERENCES faturas (provedor_id, id) ON DELETE CASCADE`,
};

/** Charges that providers issue at their PSP by the API Pix, and how the PSP is spoken to. */
export async function up(knex: Knex): Promise<void> {
  for (const [tabela, colunas] of Object.entries(TABELAS)) {
    if (await knex.schema.hasTable(tabela)) continue;
    await knex.raw(`CREATE TABLE ${tabela} (${colunas}) ENGINE=InnoDB`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const tabela of Object.keys(TABELAS).toReversed()) await knex.schema.dropTableIfExists(tabela);
}
