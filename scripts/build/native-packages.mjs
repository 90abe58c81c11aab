/** Packages that load native code or files of their own, and therefore cannot be in the server's bundle. */
export const nativePackages = [
	'@node-rs/argon2',
	'sharp',
	'pdfjs-dist',
	'@napi-rs/canvas',
	'@neslinesli93/qpdf-wasm',
	'harfbuzzjs',
	'@fontsource/mukta',
];
