import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, defaultTextMapGetter, trace } from '@opentelemetry/api';
import type { Context, Span } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { requestIdOf } from '../http/request.ts';
import type { Tracing } from './tracing.types.ts';
import { withLogFields } from '../log-fields.ts';

interface QueryEvent {
  readonly __knexQueryUid: string;
  readonly sql: string;
}

/**
 * Builds the tracing. Address, headers, sampling and names come from OpenTelemetry's own environment variables, which its packages
 * read. Nothing is registered globally, so that several services can live in one process.
 */
export function createTracing(role: string): Tracing {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': `malha-${role}`, 'service.instance.id': String(process.pid) }))
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('malha');
  const propagator = new W3CTraceContextPropagator();
  const active = new AsyncLocalStorage<Context>();

  /** Does what belongs to a span; log lines name its trace. */
  function within<T>(span: Span, parent: Context, fields: Readonly<Record<string, string>>, work: () => T): T {
    const traced = { ...fields, traceId: span.spanContext().traceId };
    return active.run(trace.setSpan(parent, span), () => withLogFields(traced, work));
  }

  return {
    request(request, response, answer) {
      const requestId = requestIdOf(request);
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
      const method = request.method ?? '';
      const attributes = { 'http.request.method': method, 'malha.request_id': requestId };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      response.once('close', () => {
        span.setAttribute('http.response.status_code', response.statusCode);
        if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
      within(span, parent, { requestId }, answer);
    },

    answered(route) {
      const span = spanOf(active.getStore());
      span?.updateName(route);
      span?.setAttribute('http.route', route.replace(/^\S+ /, ''));
    },

    async job(name, jobId, work) {
      const span = tracer.startSpan(
        name,
        { kind: SpanKind.CONSUMER, attributes: { 'malha.job_id': jobId } },
        ROOT_CONTEXT,
      );
      try {
        return await within(span, ROOT_CONTEXT, {}, work);
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },

    watchQueries(db) {
      const underWay = new Map<string, Span>();
      const settle = (failed: boolean, { __knexQueryUid: uid }: QueryEvent): void => {
        const span = underWay.get(uid);
        underWay.delete(uid);
        if (failed) span?.setStatus({ code: SpanStatusCode.ERROR });
        span?.end();
      };
      db.on('query', ({ __knexQueryUid: uid, sql }: QueryEvent) => {
        const parent = active.getStore();
        if (parent === undefined) return;
        const attributes = { 'db.system.name': 'mysql', 'db.query.summary': summaryOf(sql) };
        underWay.set(
          uid,
          tracer.startSpan(attributes['db.query.summary'], { kind: SpanKind.CLIENT, attributes }, parent),
        );
      });
      db.on('query-response', (_response: unknown, query: QueryEvent) => settle(false, query));
      db.on('query-error', (_error: unknown, query: QueryEvent) => settle(true, query));
    },

    close: async () => provider.shutdown(),
  };
}

const spanOf = (context: Context | undefined): Span | undefined =>
  context === undefined ? undefined : trace.getSpan(context);

/** What is done, and to which table: `SELECT clientes`. The rest of a statement may hold values. */
function summaryOf(sql: string): string {
  const [, verb = ''] = /^\s*(\w+)/.exec(sql) ?? [];
  let outer = sql;
  for (let shorter = withoutInnermost(outer); shorter !== outer; shorter = withoutInnermost(outer)) outer = shorter;
  const [, table = ''] = /\b(?:from|into|update|join)\s+`?(\w+)/i.exec(outer) ?? [];
  return `${verb.toUpperCase()} ${table}`.trim();
}

/** Statements hold placeholders for values, so each parenthesis is one of SQL. */
const withoutInnermost = (sql: string): string => sql.replaceAll(/\([^()]*\)/g, ' ');
