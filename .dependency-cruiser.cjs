/**
 * Which way imports run. One rule per sentence of the house's order; `test/house/import-rules.test.ts`
 * plants a violation of each and sees it caught.
 */
const feature = String.raw`features/([^/]+)/`;
const tests = String.raw`\.test\.tsx?$`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		{
			name: 'contract-knows-nobody',
			severity: 'error',
			comment: 'Both sides read the contract: it runs in a browser and in Node, and depends on neither.',
			from: { path: '^src/contract/', pathNot: tests },
			to: { pathNot: '^src/contract/|node_modules/', dependencyTypesNot: ['core'] },
		},
		{
			name: 'contract-runs-everywhere',
			severity: 'error',
			comment: "Node's own modules do not exist in a browser.",
			from: { path: '^src/contract/', pathNot: tests },
			to: { dependencyTypes: ['core'] },
		},
		{
			name: 'web-knows-no-server',
			severity: 'error',
			from: { path: '^src/web/' },
			to: { path: '^src/(server|cli)/' },
		},
		{
			name: 'server-knows-no-web',
			severity: 'error',
			comment: 'The built landing renderer is handed in by main.ts.',
			from: { path: '^src/(server|cli)/' },
			to: { path: '^src/web/' },
		},
		{
			name: 'server-foundations-know-no-feature',
			severity: 'error',
			from: { path: '^src/server/(platform|db)/', pathNot: tests },
			to: { path: '^src/server/features/' },
		},
		{
			name: 'web-foundations-know-no-feature',
			severity: 'error',
			from: { path: '^src/web/(platform|ui)/' },
			to: { path: '^src/web/(features|routes|landing)/' },
		},
		{
			name: 'server-features-meet-in-services',
			severity: 'error',
			comment: "A feature reaches another only through the other's *.service.ts.",
			from: { path: `^src/server/${feature}` },
			to: { path: '^src/server/features/', pathNot: ['^src/server/features/$1/', String.raw`\.service\.ts$`] },
		},
		{
			name: 'web-features-meet-in-routes',
			severity: 'error',
			from: { path: `^src/web/${feature}` },
			to: { path: '^src/web/(features|routes|landing)/', pathNot: '^src/web/features/$1/' },
		},
		{
			name: 'routes-touch-no-queries',
			severity: 'error',
			from: { path: String.raw`\.routes\.ts$` },
			to: { path: String.raw`\.queries\.ts$` },
		},
		{
			name: 'kysely-stays-in-queries',
			severity: 'error',
			comment: 'db/ gives out Db and inTransaction; SQL is written in *.queries.ts and tests.',
			from: { path: '^src/', pathNot: ['^src/server/db/', String.raw`\.queries\.ts$`, tests] },
			to: { path: '(^|/)node_modules/kysely/' },
		},
		{
			name: 'no-circles',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'everything-resolves',
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
