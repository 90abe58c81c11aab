import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '../app-error.ts';
import { probeDatabase } from '../database/connection.ts';
import type { Deps } from '../deps.ts';

/** Registers `/healthz`, `/readyz` (checks database and storage) and `/metrics` (loopback or METRICS_TOKEN). */
export function registerHealthAndMetrics(app: FastifyInstance, deps: Deps): void {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	const durations = new Histogram({
		name: 'folio_http_request_seconds',
		help: 'Time from request to response by route, method and status.',
		labelNames: ['route', 'method', 'status'],
		buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
		registers: [registry],
	});
	new Gauge({
		name: 'folio_live_connections',
		help: 'Open event streams, downloads and uploads.',
		registers: [registry],
		collect() {
			this.set(deps.live.count());
		},
	});
	new Gauge({
		name: 'folio_storage_answering',
		help: '0 while the file store answers no request, so that calls to it fail at once.',
		registers: [registry],
		collect() {
			this.set(Number(deps.storage.isAnswering()));
		},
	});
	app.addHook('onResponse', async ({ routeOptions, method }, { statusCode: status, elapsedTime }) =>
		durations.observe({ route: routeOptions.url ?? 'unknown', method, status }, elapsedTime / 1000),
	);
	app.addHook('onClose', async () => {
		registry.clear();
	});

	const config = { access: 'public' } as const;
	const healthCheck = { ...config, isHealthCheck: true };
	app.get('/healthz', { config: healthCheck }, async () => ({ status: 'ok' }));
	app.get('/readyz', { config: healthCheck }, async (_request, reply) => {
		const checks = await Promise.allSettled([probeDatabase(deps.db), deps.storage.check()]);
		const [database, storage] = checks.map((check) => (check.status === 'fulfilled' ? 'ok' : 'failed'));
		return reply.code(checks.every((check) => check.status === 'fulfilled') ? 200 : 503).send({ database, storage });
	});
	app.get('/metrics', { config }, async (request, reply) => {
		if (!canReadMetrics(deps, request)) throw new AppError('NOT_FOUND');
		return reply.type(registry.contentType).send(await registry.metrics());
	});
}

const forwardingHeaders = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'x-forwarded-host', 'x-forwarded-proto'];

function canReadMetrics(deps: Deps, request: FastifyRequest): boolean {
	const token = deps.config.METRICS_TOKEN;
	// A proxy on this machine connects from loopback too, but its clients may be anywhere.
	if (token === undefined && forwardingHeaders.some((name) => request.headers[name] !== undefined)) return false;
	if (token === undefined) return ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.ip);
	const actual = Buffer.from(request.headers.authorization ?? '');
	const expected = Buffer.from(`Bearer ${token}`);
	return actual.length === expected.length && timingSafeEqual(actual, expected);
}
