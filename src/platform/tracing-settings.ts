/** The settings of traces, by OpenTelemetry's names. Its packages read others of its variables themselves. */
export const TRACING_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    type: 'string',
    pattern: '^https?://',
    description: 'Coletor do OpenTelemetry (OTLP por HTTP), como http://coletor:4318; sem ele, não há rastros.',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    type: 'string',
    pattern: '^https?://',
    description: 'O endereço inteiro para os rastros, como http://coletor:4318/v1/traces, se for outro.',
  },
  OTEL_SDK_DISABLED: { type: 'string', enum: ['true', 'false'], description: 'true desliga os rastros.' },
} as const;
