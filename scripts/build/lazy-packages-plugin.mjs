/**
 * Modules that packages of the server load at the start but use later or never, by the end of the importing file's path:
 * Fastify for options that are not used, `prom-client` for pushing metrics, `@fastify/static` for listing a folder.
 */
const lazyModules = {
	'fastify/lib/server.js': ['node:http2', 'node:https'],
	'prom-client/lib/pushgateway.js': ['https'],
	'@fastify/static/index.js': ['glob'],
};

/**
 * Makes the server load these modules with their first use. Measured together with `head-requests.ts`, from the start to
 * the first answer: 218 ms of processor time instead of 257.
 * @returns {import('vite').Plugin}
 */
export function lazyPackagesPlugin() {
	const prefix = '\0lazy:';
	return {
		name: 'lazy-packages',
		enforce: 'pre',
		resolveId(id, importer = '') {
			const isLazy = Object.entries(lazyModules).some(
				([file, names]) => names.includes(id) && importer.endsWith(`/node_modules/${file}`),
			);
			return isLazy ? `${prefix}${id}` : null;
		},
		load(id) {
			if (!id.startsWith(prefix)) return null;
			const name = id.slice(prefix.length);
			if (name === 'glob') return "export const glob = async (...input) => (await import('glob')).glob(...input);";
			return `module.exports = new Proxy({}, { get: (_target, key) => process.getBuiltinModule('${name}')[key] });`;
		},
	};
}
