/** Packages that load machine code or files of their own, and are therefore left out of the server's bundle. */
export const nativePackages = [
	'@node-rs/argon2',
	'sharp',
	'pdfjs-dist',
	'@napi-rs/canvas',
	'@neslinesli93/qpdf-wasm',
	'harfbuzzjs',
	'@fontsource/mukta',
];
