import type { FastifyInstance } from 'fastify';
import { contract } from '#contract/contract.ts';
import { nonJsonEndpoints } from '#contract/core/non-json-endpoints.ts';
import { escapeHtml } from '../format.ts';
import { sendHtml } from './security-headers.ts';

interface Operation {
	summary?: string;
	parameters?: unknown;
	responses?: unknown;
}

/** The used parts of an OpenAPI 3.1 document. */
interface ApiDocument {
	paths: Record<string, Record<string, Operation>>;
	[part: string]: unknown;
}

/** Registers `GET /openapi.json` (OpenAPI 3.1) and `GET /docs`, a page with the same content; both for admins. */
export function registerApiDocs(app: FastifyInstance, version: string): void {
	let document: Promise<ApiDocument> | undefined;
	const getDocument = () => {
		document ??= describeApi(version);
		return document;
	};
	const config = { access: 'admin' } as const;
	app.get('/openapi.json', { config }, async (_request, reply) =>
		reply.type('application/json; charset=utf-8').send(await getDocument()),
	);
	app.get('/docs', { config }, async (_request, reply) => {
		const apiDocument = await getDocument();
		return sendHtml(reply, 200, (nonce) => renderDocs(apiDocument, nonce));
	});
}

async function describeApi(version: string): Promise<ApiDocument> {
	const { OpenAPIGenerator } = await import('@orpc/openapi');
	const { ZodToJsonSchemaConverter } = await import('@orpc/zod/zod4');
	const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
	const document = (await generator.generate(contract, {
		info: { title: 'Folio', version },
	})) as unknown as ApiDocument;
	const paths: ApiDocument['paths'] = { ...document.paths };
	for (const [address, [summary, description]] of Object.entries(nonJsonEndpoints)) {
		const [method = '', path = ''] = address.split(' ');
		const parameters = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name]) => ({
			name,
			in: 'path',
			required: true,
			schema: { type: 'string' },
		}));
		paths[path] = {
			...paths[path],
			[method.toLowerCase()]: { summary, parameters, responses: { 200: { description } } },
		};
	}
	return { ...document, paths };
}

function renderDocs(document: ApiDocument, nonce: string): string {
	const operations = Object.entries(document.paths).flatMap(([path, item]) =>
		Object.entries(item).map(([method, operation]) => renderOperation(method, path, operation)),
	);
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Folio API</title>
<style nonce="${nonce}">body{font:15px/1.5 system-ui,sans-serif;max-width:900px;margin:32px auto;padding:0 16px;color:#16130f;background:#fbf8f1}
summary{cursor:pointer;padding:8px 0;border-top:1px solid #e6dfd1}code{font-family:ui-monospace,monospace}b{display:inline-block;min-width:72px;color:#945207}
pre{background:#f4eee1;padding:12px;border-radius:6px;overflow:auto;font-size:13px}</style></head>
<body><h1>Folio API</h1><p>Also as <a href="/openapi.json">openapi.json</a>.</p>${operations.join('\n')}</body></html>
`;
}

function renderOperation(method: string, path: string, { summary = '', ...operation }: Operation): string {
	return `<details><summary><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary><pre>${escapeHtml(JSON.stringify(operation, null, 2))}</pre></details>`;
}
