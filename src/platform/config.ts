import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { networkFaults } from './networks.ts';
import { REDIS_ADDRESS, redisFaults } from './redis/address.ts';
import type { TypeOf } from './schema-type.ts';
import { TRACING_SETTINGS } from './tracing-settings.ts';

/** The most processes that can be set; more than any machine needs. */
export const MOST_PROCESSES = 256;

/** The default port of metrics and health is the service's port plus this. */
export const METRICS_OFFSET = 10_000;

/**
 * Every setting of the program. The check at the start and the type come from this schema; docs list the same settings.
 * Nothing else reads the environment.
 */
const configSchema = {
  type: 'object',
  required: [
    'PORT',
    'HOST',
    'MALHA_DATA_DIR',
    'MALHA_PROXIES',
    'MALHA_LOG',
    'MALHA_LOG_REQUISICOES',
    'MALHA_METRICS_HOST',
    'MALHA_DEMO',
    'MALHA_CONEXOES',
    'MALHA_POOL',
    'MALHA_CACHE_MB',
    'MALHA_INTERVALO_RADIUS',
    'MALHA_ATRASO_REPLICA',
    'MALHA_EXTRATOS_DIAS',
    'MALHA_S3_REGIAO',
    'MALHA_EMAIL_DE',
    'MALHA_WEBHOOKS_HTTP',
    'NODE_ENV',
  ],
  properties: {
    PORT: { type: 'integer', minimum: 0, maximum: 65535, default: 3000, description: 'Porta do serviço.' },
    HOST: { type: 'string', minLength: 1, default: '127.0.0.1', description: 'Endereço em que o serviço escuta.' },
    MALHA_DATA_DIR: {
      type: 'string',
      minLength: 1,
      default: '.data',
      description: 'Pasta dos dados locais: instâncias privadas e demo.json.',
    },
    DATABASE_URL: {
      type: 'string',
      pattern: '^(mysql|mariadb)://',
      description: 'MySQL 8.0+ ou MariaDB 10.6+ a usar, em vez da instância privada: mysql://usuario:senha@host/banco.',
    },
    DATABASE_OWNER_URL: {
      type: 'string',
      pattern: '^(mysql|mariadb)://',
      description:
        'O mesmo banco pelo usuário que pode mudar o esquema; com ele, o de DATABASE_URL não pode mudar a auditoria.',
    },
    NODE_EXTRA_CA_CERTS: {
      type: 'string',
      description: 'Arquivo PEM de autoridades que valem além das do Node; o que faz backups as aceita também.',
    },
    DATABASE_REPLICA_URL: {
      type: 'string',
      pattern: '^(mysql|mariadb)://',
      description:
        'Uma réplica do mesmo banco, só para ler: listas inteiras e extratos vão a ela enquanto ela acompanhar. Sem ela, ao próprio banco.',
    },
    MALHA_ATRASO_REPLICA: {
      type: 'integer',
      minimum: 1,
      maximum: 120,
      default: 10,
      description: 'Segundos que a réplica pode estar atrás; além disso, não é usada.',
    },
    REDIS_URL: {
      type: 'string',
      pattern: REDIS_ADDRESS,
      description:
        'Redis a usar, em vez da instância privada: redis://host:6379/0, redis+cluster://host:porta,host:porta ou redis+sentinel://host:porta,host:porta/nome.',
    },
    QUEUE_REDIS_URL: {
      type: 'string',
      pattern: REDIS_ADDRESS,
      description: 'Redis (noeviction) só para as filas; sem ele, as filas usam REDIS_URL.',
    },
    MALHA_PROXIES: {
      type: 'integer',
      minimum: 0,
      maximum: 10,
      default: 0,
      description: 'Quantos proxies confiáveis há na frente; o IP de origem é lido de X-Forwarded-For por essa conta.',
    },
    MALHA_LOG: {
      type: 'string',
      enum: ['silent', 'fatal', 'error', 'warn', 'info', 'debug'],
      default: 'info',
      description: 'Nível do registro (log).',
    },
    MALHA_LOG_REQUISICOES: {
      type: 'string',
      enum: ['sim', 'nao'],
      default: 'nao',
      description: 'Uma linha de log por requisição no nível info; sem isto, só no nível debug.',
    },
    MALHA_PROCESSOS: {
      type: 'integer',
      minimum: 1,
      maximum: MOST_PROCESSES,
      description: 'Processos de malha serve; sem ele, um por núcleo em produção, e um só fora dela.',
    },
    MALHA_METRICS_PORT: {
      type: 'integer',
      minimum: 0,
      maximum: 65535,
      description: 'Porta de /metrics, /healthz e /readyz; 0 desliga. Sem ela, PORT + 10000.',
    },
    MALHA_METRICS_HOST: {
      type: 'string',
      minLength: 1,
      default: '127.0.0.1',
      description: 'Endereço em que as métricas são servidas.',
    },
    MALHA_SENHA_FILAS: {
      type: 'string',
      minLength: 12,
      description: 'Senha de /filas, na porta das métricas, com ao menos 12 caracteres; sem ela, não há /filas.',
    },
    MALHA_DEMO: {
      type: 'string',
      enum: ['auto', 'sim', 'nao'],
      default: 'auto',
      description: 'Dados de demonstração ao iniciar: auto = sim num banco sem provedores, fora de produção.',
    },
    MALHA_CONEXOES: {
      type: 'integer',
      minimum: 10,
      maximum: 1_000_000,
      default: 5000,
      description: 'Máximo de conexões de clientes abertas ao mesmo tempo, por processo.',
    },
    MALHA_POOL: {
      type: 'integer',
      minimum: 1,
      maximum: 500,
      default: 10,
      description: 'Máximo de conexões com o banco por processo.',
    },
    MALHA_CACHE_MB: {
      type: 'integer',
      minimum: 1,
      maximum: 65536,
      default: 64,
      description: 'Memória do cache de respostas, em MiB, por processo.',
    },
    MALHA_INTERVALO_RADIUS: {
      type: 'integer',
      minimum: 30,
      maximum: 86400,
      default: 300,
      description: 'Intervalo, em segundos, dos interim updates, para sessões que ainda não informaram o seu.',
    },
    MALHA_EXTRATOS: {
      type: 'string',
      pattern: '^(?:s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:/[A-Za-z0-9_.-]+)*/?|[^:]+)$',
      description:
        'Onde ficam os extratos: uma pasta, ou s3://bucket/prefixo. Sem ele, extratos na pasta dos dados locais.',
    },
    MALHA_EXTRATOS_DIAS: {
      type: 'integer',
      minimum: 1,
      maximum: 365,
      default: 7,
      description: 'Dias por que se guarda um extrato.',
    },
    MALHA_S3_ENDPOINT: {
      type: 'string',
      pattern: '^https?://',
      description: 'Endereço de um S3 que não o da Amazon.',
    },
    MALHA_S3_REGIAO: { type: 'string', minLength: 1, default: 'us-east-1', description: 'Região do S3.' },
    MALHA_S3_CHAVE: {
      type: 'string',
      minLength: 1,
      description: 'Id da chave de acesso ao S3; sem ele, o que a máquina tiver (papel, perfil).',
    },
    MALHA_S3_SEGREDO: { type: 'string', minLength: 1, description: 'Segredo da chave de acesso ao S3.' },
    MALHA_CHAVE_MESTRA: {
      type: 'string',
      pattern: '^[0-9A-Fa-f]{64}$',
      description:
        'Chave que cifra o que se guarda em segredo (arquivos e senhas importados): 32 bytes em hexadecimal. Fora de produção, sem ela, uma é criada na pasta dos dados.',
    },
    MALHA_CHAVE_MESTRA_ANTERIORES: {
      type: 'string',
      pattern: '^[0-9A-Fa-f]{64}(?:,[0-9A-Fa-f]{64})*$',
      description: 'Chaves mestras de antes, separadas por vírgula: só abrem o que elas cifraram.',
    },
    MALHA_SMTP_URL: {
      type: 'string',
      pattern: '^smtps?://',
      description: 'Servidor de e-mail: smtp://usuario:senha@host:587. Sem ele, nenhum e-mail sai; links são copiados.',
    },
    MALHA_EMAIL_DE: {
      type: 'string',
      minLength: 3,
      default: 'Malha <nao-responda@localhost>',
      description: 'Remetente dos e-mails.',
    },
    MALHA_REDES_PROIBIDAS: {
      type: 'string',
      pattern: '^[0-9A-Fa-f.:/, ]+$',
      description:
        'Redes, separadas por vírgula, que nunca se chamam por um endereço que um provedor digitou, além das que não são públicas: as da operação que têm endereços públicos.',
    },
    MALHA_REDES_PERMITIDAS: {
      type: 'string',
      pattern: '^[0-9A-Fa-f.:/, ]+$',
      description:
        'Redes, separadas por vírgula, que se chamam embora não sejam públicas, para desenvolvimento e testes; em produção, não se aceita.',
    },
    MALHA_WEBHOOKS_HTTP: {
      type: 'string',
      enum: ['sim', 'nao'],
      default: 'nao',
      description: 'Se webhooks podem ser http://, para desenvolvimento e testes; em produção, não se aceita.',
    },
    MALHA_PUSH_HOSTS: {
      type: 'string',
      pattern: '^(?:\\*\\.)?[a-z0-9.-]+(?: *, *(?:\\*\\.)?[a-z0-9.-]+)*$',
      description:
        'Hosts, separados por vírgula, de outros serviços de push de navegadores, além dos do Google, da Mozilla, da Apple e da Microsoft.',
    },
    MALHA_GOOGLE_URL: {
      type: 'string',
      pattern: '^https?://[^/?#@]+$',
      description: 'Endereço que faz as vezes dos do Google (OAuth e FCM), em testes; em produção, não se aceita.',
    },
    ...TRACING_SETTINGS,
    NODE_ENV: {
      type: 'string',
      enum: ['development', 'test', 'production'],
      default: 'development',
      description: 'Ambiente.',
    },
  },
} as const;

export type Config = TypeOf<typeof configSchema>;

/** Thrown by `loadConfig`. Its message has one line for each fault and can be shown as it is. */
export class ConfigError extends Error {}

let compiled: ValidateFunction<Config> | undefined;

/**
 * Reads the settings from an environment.
 *
 * @throws ConfigError naming every setting that is wrong, one in each line.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  compiled ??= new Ajv({ allErrors: true, useDefaults: true, coerceTypes: true }).compile<Config>(configSchema);
  const validate = compiled;
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(configSchema.properties)) {
    // A blank variable counts as unset: `PORT= npm start` and compose files with blank values mean the default.
    if (env[name] !== undefined && env[name].trim() !== '') values[name] = env[name];
  }
  if (validate(values)) {
    const faults = [...redisFaults(values), ...networkFaults(values)];
    if (faults.length > 0) throw new ConfigError(faults.join('\n'));
    return values;
  }
  const faults = (validate.errors ?? []).map((error) => {
    const name = error.instancePath.slice(1);
    const property = configSchema.properties[name as keyof typeof configSchema.properties];
    // The value itself is not repeated, because it may hold a password.
    return `Configuração inválida: ${name} — ${fault(error)}. ${property.description}`;
  });
  throw new ConfigError([...new Set(faults)].join('\n'));
}

function fault({ keyword, params }: ErrorObject): string {
  const { limit, allowedValues } = params as { limit?: number; allowedValues?: string[] };
  switch (keyword) {
    case 'type':
      return 'deve ser um número inteiro';
    case 'minimum':
      return `deve ser no mínimo ${limit}`;
    case 'maximum':
      return `deve ser no máximo ${limit}`;
    case 'enum':
      return `deve ser um de: ${(allowedValues ?? []).join(', ')}`;
    default:
      return 'não tem a forma esperada';
  }
}
