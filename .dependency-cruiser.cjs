/**
 * The import rules of docs/architecture.md. `test/repository/import-rules.slow.test.ts` breaks each rule and expects an
 * error.
 */
const feature = String.raw`features/([^/]+)/`;
const tests = String.raw`\.test\.tsx?$`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{
			name: 'contract-imports-nothing',
			severity: 'error',
			comment: 'The contract runs in the browser and in Node, so it must not depend on either.',
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
			comment: 'Algorithms for browser and server, without the contract, packages or Node modules.',
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
			comment: 'main.ts passes the built landing renderer to the server.',
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
			comment: 'start.ts, app.ts and registrations.ts import every feature, so a module that imports them depends on all features.',
			from: { path: '^src/server/(platform|features)/', pathNot: tests },
			to: { path: String.raw`^src/server/[^/]+\.ts$` },
		},
		{
			name: 'landing-never-imports-the-workspace',
			severity: 'error',
			comment: 'Visitors load the landing page without the code of the workspace.',
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
			comment: "A feature may import only the index.ts of another feature, which exports its public functions.",
			from: { path: `^src/server/${feature}` },
			to: {
				path: '^src/server/features/',
				pathNot: ['^src/server/features/$1/', String.raw`^src/server/features/[^/]+/index\.ts$`],
			},
		},
		{
			name: 'no-cycles-between-server-features',
			severity: 'error',
			comment: 'If feature B depends on feature A, A calls B through a function that src/server/registrations.ts registers.',
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
			comment: 'SQL is written only in *.queries.ts and tests; other modules use Db and inTransaction of platform/database.',
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
			comment: 'The rules cannot check an import that does not resolve.',
			from: {},
			to: { couldNotResolve: true },
		},
	],
	options: {
		// dependency-cruiser does not support TypeScript 7: without this parser it would read no .ts file and find no errors.
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
