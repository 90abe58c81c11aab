/** Packages that load machine code or files of their own: they stay packages where everything else is bundled. */
export const nativePackages = [
	'@node-rs/argon2',
	'sharp',
	'pdfjs-dist',
	'@napi-rs/canvas',
	'@neslinesli93/qpdf-wasm',
	'harfbuzzjs',
	'@fontsource/mukta',
];
