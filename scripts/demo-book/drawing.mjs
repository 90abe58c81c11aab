/** The book's few colours (the covers', and what mixes with them) and the shapes that its pictures are drawn with. */
export const colour = {
	paper: '#fbf8f1',
	page: '#f3ead6',
	cream: '#f7dfae',
	sand: '#e7c488',
	saffron: '#eda339',
	amber: '#d98c24',
	rust: '#cf4f2b',
	brick: '#a63c20',
	maroon: '#7a2416',
	umber: '#4a1a12',
	night: '#1a2340',
	dusk: '#2d3963',
	slate: '#55638f',
	haze: '#c9d3e6',
	leaf: '#3f6b50',
	pine: '#1c4a31',
	mint: '#d5e3d8',
	skin: '#8a4b2a',
	ink: '#16130f',
};

export const rect = (x, y, width, height, fill, more = '') =>
	`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;

export const disc = (x, y, r, fill, more = '') => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`;

export const oval = (x, y, rx, ry, fill, more = '') =>
	`<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`;

export const shape = (d, fill, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`;

/** A stroke without a fill, with round ends. */
export const line = (d, stroke, width, more = '') =>
	`<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;

/** Moves, then scales and turns (degrees) what is drawn around 0, 0. */
export const at = (x, y, parts, { scale = 1, turn = 0 } = {}) =>
	`<g transform="translate(${x} ${y}) scale(${scale}) rotate(${turn})">${parts}</g>`;

export const times = (count, draw) => Array.from({ length: count }, (_, index) => draw(index)).join('');

/** What is drawn inside a shape and cut off at its edge. `id` is unique within the picture. */
export const inside = (id, outline, parts) =>
	`<clipPath id="${id}">${outline}</clipPath><g clip-path="url(#${id})">${parts}</g>`;

/** A waxing moon of radius `r`; the ground shows where it is dark. */
export const crescent = (x, y, r, fill) =>
	shape(
		`M${x + r * 0.4} ${y - r * 0.917} A${r} ${r} 0 1 0 ${x + r * 0.4} ${y + r * 0.917} A${r * 0.95} ${r * 0.95} 0 0 1 ${x + r * 0.4} ${y - r * 0.917} Z`,
		fill,
		`transform="rotate(154 ${x} ${y})"`,
	);

/** Stars spread evenly without a pattern (the plane's golden ratio) over the top `height`. */
export const stars = (count, width, height, fill) =>
	times(count, (star) =>
		disc(((star * 0.7549 + 0.13) % 1) * width, ((star * 0.5698 + 0.31) % 1) * height, star % 4 ? 2 : 3.2, fill),
	);

/** A steel kettle, its foot at 0, 0 and its spout to the right. */
export const kettle = (body, light, dark) =>
	line('M-46 -112 C-46 -178 46 -178 46 -112', dark, 11) +
	shape('M70 -64 C104 -70 100 -118 136 -128 L144 -112 C122 -100 124 -44 74 -28 Z', body) +
	shape('M-86 0 C-108 -64 -66 -118 0 -118 C66 -118 108 -64 86 0 Z', body) +
	shape('M-62 -26 C-66 -62 -44 -92 -16 -98 C-34 -78 -44 -52 -42 -26 Z', light) +
	rect(-52, -126, 104, 14, dark, 'rx="7"') +
	disc(0, -134, 11, dark);

/** A standing person, their feet at 0, 0, about 150 high. */
export const person = (coat, { skin = colour.skin, hair = colour.ink, cap } = {}) =>
	rect(-17, -40, 13, 40, colour.ink) +
	rect(4, -40, 13, 40, colour.ink) +
	shape('M-31 -26 C-34 -92 -24 -108 0 -108 C24 -108 34 -92 31 -26 Z', coat) +
	rect(-7, -118, 14, 16, skin) +
	disc(0, -131, 19, skin) +
	shape('M-20 -131 C-20 -160 20 -160 20 -131 C10 -142 -10 -142 -20 -131 Z', cap ?? hair);

/** Somebody sitting, seen from behind, on a seat at 0, 0. */
export const sitter = (coat, cap = colour.ink) =>
	shape('M-40 0 C-46 -92 -28 -112 0 -112 C28 -112 46 -92 40 0 Z', coat) +
	rect(-8, -126, 16, 20, colour.skin) +
	disc(0, -142, 24, colour.skin) +
	shape('M-25 -138 C-25 -180 25 -180 25 -138 C14 -128 -14 -128 -25 -138 Z', cap);

/** A lidded jar, its foot at 0, 0, 120 high. */
export const jar = (glass, lid, filling = '') =>
	rect(-38, -104, 76, 104, glass, 'rx="12"') +
	filling +
	rect(-30, -92, 9, 74, colour.paper, 'rx="4" opacity="0.55"') +
	rect(-34, -122, 68, 22, lid, 'rx="5"');

/** A round clock with two hands, hours and minutes as on a dial. */
export const clock = (r, face, rim, hours, minutes = 0) => {
	const hand = (turn, length, width) =>
		`<g transform="rotate(${turn})">${line(`M0 0 V${-length}`, colour.ink, width)}</g>`;
	const marks = times(
		12,
		(hour) => `<g transform="rotate(${hour * 30})">${line(`M0 ${-r * 0.82} V${-r * 0.72}`, rim, 3)}</g>`,
	);
	return (
		disc(0, 0, r + 7, rim) +
		disc(0, 0, r, face) +
		marks +
		hand(hours * 30 + minutes / 2, r * 0.46, 7) +
		hand(minutes * 6, r * 0.68, 5) +
		disc(0, 0, 6, rim)
	);
};

/** A whole picture as SVG. */
export const picture = (width, height, ground, ...parts) =>
	`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
	`${rect(0, 0, width, height, ground)}${parts.join('')}</svg>`;

/** The picture at the head of a chapter. */
export const head = (ground, ...parts) => picture(1160, 430, ground, ...parts);

/** Half a page. */
export const plate = (ground, ...parts) => picture(1160, 880, ground, ...parts);
