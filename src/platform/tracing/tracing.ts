import type { Config } from '../config.ts';
import type { Tracing } from './tracing.types.ts';

/** Starts tracing where the settings name a collector. The packages are loaded only then. */
export async function startTracing(config: Config, role: 'api' | 'worker'): Promise<Tracing | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_SDK_DISABLED } = config;
  if ((OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? OTEL_EXPORTER_OTLP_ENDPOINT) === undefined) return null;
  if (OTEL_SDK_DISABLED === 'true') return null;
  const { createTracing } = await import('./spans.ts');
  return createTracing(role);
}
