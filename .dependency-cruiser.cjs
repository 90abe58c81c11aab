/**
 * Which way imports run, as docs/architecture.md says; `test/repository/import-rules.slow.test.ts` plants a violation of each
 * rule and sees it caught.
 */
const feature = String.raw`features/([^/]+)/`;
const tests = String.raw`\.test\.tsx?$`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{
			name: 'contract-imports-nothing',
			severity: 'error',
			comment: 'Both sides read the contract: it runs in a browser and in Node, and depends on neither.',
			from: { path: '^src/contract/', pathNot: tests },
			to: { pathNot: '^src/contract/|node_modules/', dependencyTypesNot: ['core'] },
		},
		{
			name: 'contract-imports-no-node-modules',
			severity: 'error',
			comment: "Node's own modules do not exist in a browser.",
			from: { path: '^src/contract/', pathNot: tests },
			to: { dependencyTypes: ['core'] },
		},
		{
			name: 'shared-imports-nothing',
			severity: 'error',
			comment: 'Algorithms that both sides run: no contract, no package, no Node.',
			from: { path: '^src/shared/', pathNot: tests },
			to: { pathNot: '^src/shared/' },
		},
		{
			name: 'web-never-imports-server',
			severity: 'error',
			from: { path: '^src/web/' },
			to: { path: '^src/(server|cli)/' },
		},
		{
			name: 'server-never-imports-web',
			severity: 'error',
			comment: 'The built landing renderer is handed in by main.ts.',
			from: { path: '^src/(server|cli)/' },
			to: { path: '^src/web/' },
		},
		{
			name: 'server-platform-never-imports-features',
			severity: 'error',
			from: { path: '^src/server/platform/', pathNot: tests },
			to: { path: '^src/server/features/' },
		},
		{
			name: 'only-the-start-imports-the-server-root',
			severity: 'error',
			comment: 'start.ts, app.ts and registrations.ts know every feature: whoever imports them would reach all of them.',
			from: { path: '^src/server/(platform|features)/', pathNot: tests },
			to: { path: String.raw`^src/server/[^/]+\.ts$` },
		},
		{
			name: 'landing-never-imports-the-workspace',
			severity: 'error',
			comment: 'The storefront has an entry of its own, which a visitor loads without the workspace.',
			from: { path: '^src/web/landing/', pathNot: tests },
			to: { path: '^src/web/(app|features)/' },
		},
		{
			name: 'web-platform-and-ui-never-import-features',
			severity: 'error',
			from: { path: '^src/web/(platform|ui)/' },
			to: { path: '^src/web/(features|app|landing)/' },
		},
		{
			name: 'server-features-meet-in-index',
			severity: 'error',
			comment: "A feature reaches another only through the other's index.ts: what others may do, not what it is made of.",
			from: { path: `^src/server/${feature}` },
			to: {
				path: '^src/server/features/',
				pathNot: ['^src/server/features/$1/', String.raw`^src/server/features/[^/]+/index\.ts$`],
			},
		},
		{
			name: 'no-cycles-between-server-features',
			severity: 'error',
			comment: 'Where a lower feature needs a higher one, it offers a registration that src/server/registrations.ts fills.',
			scope: 'folder',
			from: { path: '^src/server/features/[^/]+$' },
			to: { circular: true },
		},
		{
			name: 'web-features-meet-in-app',
			severity: 'error',
			from: { path: `^src/web/${feature}` },
			to: { path: '^src/web/(features|app|landing)/', pathNot: '^src/web/features/$1/' },
		},
		{
			name: 'routes-never-import-queries',
			severity: 'error',
			from: { path: String.raw`\.routes\.ts$` },
			to: { path: String.raw`\.queries\.ts$` },
		},
		{
			name: 'kysely-only-in-database-and-queries',
			severity: 'error',
			comment: 'platform/database gives out Db and inTransaction; SQL is written in *.queries.ts and tests.',
			from: { path: '^src/', pathNot: ['^src/server/platform/database/', String.raw`\.queries\.ts$`, tests] },
			to: { path: '(^|/)node_modules/kysely/' },
		},
		{
			name: 'no-cycles',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'imports-resolve',
			severity: 'error',
			comment: 'An import that the checker cannot follow is an import that no rule sees.',
			from: {},
			to: { couldNotResolve: true },
		},
	],
	options: {
		// With TypeScript 7 alone the checker has no compiler it knows, reads no .ts file, and passes.
		parser: 'swc',
		tsPreCompilationDeps: true,
		doNotFollow: { path: ['node_modules', '^src/messages/generated/'] },
		enhancedResolveOptions: {
			extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
			exportsFields: ['exports'],
			conditionNames: ['import', 'node', 'browser', 'default', 'types'],
			mainFields: ['module', 'main', 'types'],
		},
	},
};
