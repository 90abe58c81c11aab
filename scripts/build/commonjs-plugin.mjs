/**
 * Marks the built folder as CommonJS. The server is built as CommonJS, because each `import` of a part of Node reads all
 * exports of that part, and those of `node:http` load Node's fetch. Measured from the start to the first answer: 250 ms
 * of processor time instead of 290.
 * @returns {import('vite').Plugin}
 */
export function commonJsPlugin() {
	return {
		name: 'folio-package-type',
		generateBundle() {
			this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
		},
	};
}
