/** What both videos draw with: the covers' colours, their building, and how things move. Runs in the page. */

export const size = { width: 1280, height: 720 };

/** As in `src/web/styles/tokens.css` and the covers. */
export const colours = {
	ink: '#16130f',
	inkSoft: '#6d6558',
	paper: '#fbf8f1',
	card: '#fffdf9',
	line: '#e2d8c5',
	accent: '#f0a63a',
	saffron: '#eda339',
	desk: '#d98c24',
	vermilion: '#cf4f2b',
	night: '#1a2340',
	cream: '#fcf1dc',
	moon: '#f6cf86',
	positive: '#2e6b3f',
};

/** Top, left and right face. */
export const looks = {
	dusk: ['#4c577f', '#333e68', '#242c50'],
	day: ['#f7dfae', '#cf4f2b', '#7a2416'],
	saffron: ['#f6cf86', '#e59a34', '#9a4a1c'],
};

/** How far `t` has come from one moment to another, 0 to 1, slow at both ends. */
export function part(t, from, to) {
	const x = Math.min(1, Math.max(0, (t - from) / (to - from)));
	return x * x * (3 - 2 * x);
}

/** There between two moments: comes and goes within `fade` seconds. */
export function shown(t, from, to, fade = 0.5) {
	return part(t, from, from + fade) * (1 - part(t, to - fade, to));
}

/** Arrives, goes a little too far, and settles. */
export function settle(t, from, to) {
	const x = Math.min(1, Math.max(0, (t - from) / (to - from))) - 1;
	return 1 + 2.2 * x ** 3 + 1.2 * x ** 2;
}

export const between = (a, b, x) => a + (b - a) * x;

/** A colour between two `#rrggbb`. */
export function mix(one, other, x) {
	const channel = (hex, at) => Number.parseInt(hex.slice(at, at + 2), 16);
	const mixed = [1, 3, 5].map((at) => Math.round(between(channel(one, at), channel(other, at), x)));
	return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** A colour on the way through several. */
export function through(stops, x) {
	const at = Math.min(stops.length - 1.0001, Math.max(0, x * (stops.length - 1)));
	const index = Math.floor(at);
	return mix(stops[index], stops[index + 1], at - index);
}

/** Draws apart from everything else: moved, turned, faded. */
export function apart(pen, { x = 0, y = 0, turn = 0, scale = 1, alpha = 1 }, draw) {
	if (alpha <= 0 || scale <= 0) return;
	pen.save();
	pen.globalAlpha *= alpha;
	pen.translate(x, y);
	pen.rotate(turn);
	pen.scale(scale, scale);
	draw();
	pen.restore();
}

export function disc(pen, x, y, radius, colour) {
	pen.fillStyle = colour;
	pen.beginPath();
	pen.arc(x, y, Math.max(0, radius), 0, Math.PI * 2);
	pen.fill();
}

export function box(pen, x, y, width, height, radius, colour, edge) {
	pen.beginPath();
	pen.roundRect(x, y, width, height, radius);
	if (colour !== undefined) {
		pen.fillStyle = colour;
		pen.fill();
	}
	if (edge === undefined) return;
	pen.strokeStyle = edge;
	pen.lineWidth = 3;
	pen.stroke();
}

export function face(pen, points, colour) {
	pen.fillStyle = colour;
	pen.beginPath();
	for (const [x, y] of points) pen.lineTo(x, y);
	pen.closePath();
	pen.fill();
}

/** A line through points, drawn up to a share of its length. */
export function stroke(pen, points, { colour, width = 6, share = 1, dash = [] }) {
	const reach = share * (points.length - 1);
	if (reach <= 0) return;
	pen.strokeStyle = colour;
	pen.lineWidth = width;
	pen.lineCap = 'round';
	pen.lineJoin = 'round';
	pen.setLineDash(dash);
	pen.beginPath();
	for (const [index, [x, y]] of points.entries()) {
		if (index <= reach) {
			pen.lineTo(x, y);
			continue;
		}
		const [fromX, fromY] = points[index - 1];
		pen.lineTo(between(fromX, x, reach - index + 1), between(fromY, y, reach - index + 1));
		break;
	}
	pen.stroke();
	pen.setLineDash([]);
}

/** Points of a curve, for {@link stroke}. */
export function curve(count, at) {
	return Array.from({ length: count + 1 }, (_, index) => at(index / count));
}

export function check(pen, x, y, unit, share, colour, width = 8) {
	const points = [
		[x - unit, y],
		[x - unit * 0.3, y + unit * 0.7],
		[x + unit, y - unit * 0.7],
	];
	stroke(pen, points, { colour, width, share });
}

/** One tier of the covers' building: a slab in 2:1 isometry. `tier` counts from the top. */
export function slab(pen, shape, tier, [top, left, right], lift = 0) {
	const half = shape.halfWidth + shape.growth * tier;
	const depth = half / 2;
	const y = shape.top + shape.tierHeight * tier - lift;
	const { cx, tierHeight: height } = shape;
	const corner = [cx, y + depth];
	const below = [cx, y + depth + height];
	face(pen, [[cx - half, y], corner, below, [cx - half, y + height]], left);
	face(pen, [[cx + half, y], corner, below, [cx + half, y + height]], right);
	face(pen, [[cx - half, y], [cx, y - depth], [cx + half, y], corner], top);
}

export function pyramid(pen, shape, look) {
	for (let tier = shape.tiers - 1; tier >= 0; tier -= 1) slab(pen, shape, tier, look);
}

/** A large sign in the shape that the font has for titles: at its true size it would be drawn with hairlines. */
export function sign(pen, text, { font, x, y, height, colour, align = 'left' }) {
	const drawn = 48;
	apart(pen, { x, y, scale: height / drawn }, () => {
		pen.fillStyle = colour;
		pen.font = font.replace('SIZE', `${drawn}px`);
		pen.textAlign = align;
		pen.fillText(text, 0, 0);
	});
}

/** A step's number, as the page has it. */
export function numeral(pen, number, x, y, colour, alpha) {
	const font = '340 SIZE Fraunces';
	apart(pen, { y: 24 * (1 - alpha), alpha }, () => sign(pen, String(number), { font, x, y, height: 190, colour }));
}

export function rupee(pen, x, y, height, colour) {
	sign(pen, '₹', { font: '560 SIZE Rupee', x, y, height, colour, align: 'center' });
}

/** A ring that a press leaves. */
export function press(pen, x, y, t, at) {
	const way = (t - at) / 0.7;
	if (way < 0 || way > 1) return;
	apart(pen, { x, y, alpha: 0.5 * (1 - way) }, () => disc(pen, 0, 0, 14 + 42 * way, colours.ink));
}

const covers = [
	{
		ground: colours.saffron,
		words: colours.ink,
		font: '560 56px Fraunces',
		lines: ['Build', 'Your', 'Empire'],
		lineHeight: 50,
		x: 28,
		align: 'left',
		light: [199, 286, 56, colours.cream],
		stars: [],
		shape: { cx: 199, top: 287, halfWidth: 60, growth: 39, tierHeight: 27, tiers: 5 },
		look: looks.day,
		edge: mix(colours.saffron, '#000000', 0.32),
	},
	{
		ground: colours.night,
		words: '#fbf3e2',
		font: '640 45px "Cover Hindi"',
		lines: ['अपना', 'साम्राज्य', 'बनाएँ'],
		lineHeight: 54,
		x: 272,
		align: 'right',
		light: [92, 237, 29, colours.moon],
		stars: [
			[99, 126],
			[145, 207],
			[262, 238],
			[279, 268],
			[62, 297],
		],
		shape: { cx: 190, top: 234, halfWidth: 27, growth: 27, tierHeight: 24, tiers: 9 },
		look: looks.saffron,
		edge: '#0f1530',
	},
];

/** A book of the two, 300 by 440 from its upper left corner, with its pages behind it. */
export function book(pen, which) {
	const cover = covers[which];
	face(
		pen,
		[
			[300, 6],
			[326, -8],
			[326, 420],
			[300, 440],
		],
		'#d9cba9',
	);
	for (let leaf = 1; leaf < 6; leaf += 1) {
		const way = leaf / 6;
		const points = [
			[300 + 26 * way, 6 - 14 * way],
			[300 + 26 * way, 440 - 20 * way],
		];
		stroke(pen, points, { colour: '#f3ead6', width: 2 });
	}
	face(
		pen,
		[
			[0, 0],
			[26, -16],
			[328, -16],
			[300, 0],
		],
		cover.edge,
	);
	pen.save();
	pen.beginPath();
	pen.roundRect(0, 0, 300, 440, 3);
	pen.clip();
	pen.fillStyle = cover.ground;
	pen.fillRect(0, 0, 300, 440);
	pen.globalAlpha = 0.35;
	pen.fillStyle = cover.words;
	pen.fillRect(28, 59, 244, 1.2);
	pen.globalAlpha = 1;
	pen.font = cover.font;
	pen.textAlign = cover.align;
	pen.letterSpacing = which === 0 ? '-1.1px' : '0px';
	for (const [line, words] of cover.lines.entries()) pen.fillText(words, cover.x, 107 + line * cover.lineHeight);
	pen.letterSpacing = '0px';
	for (const [x, y] of cover.stars) disc(pen, x, y, 1.5, colours.moon);
	disc(pen, ...cover.light);
	pyramid(pen, cover.shape, cover.look);
	const hinge = pen.createLinearGradient(0, 0, 18, 0);
	hinge.addColorStop(0, 'rgb(0 0 0 / 0.22)');
	hinge.addColorStop(0.55, 'rgb(0 0 0 / 0.05)');
	hinge.addColorStop(0.8, 'rgb(0 0 0 / 0.18)');
	hinge.addColorStop(1, 'rgb(0 0 0 / 0)');
	pen.fillStyle = hinge;
	pen.fillRect(0, 0, 18, 440);
	pen.restore();
}

/** Both books on their paper; `come` from 0 to 1. */
export function bothBooks(pen, come, sink = 0) {
	const rise = 70 * (1 - come);
	for (const [which, x, turn] of [
		[1, 690, 0.07],
		[0, 330, -0.05],
	]) {
		apart(pen, { x: x + 40, y: 600 + sink, alpha: 0.2 * come }, () => {
			pen.filter = 'blur(16px)';
			pen.fillStyle = colours.ink;
			pen.beginPath();
			pen.ellipse(130, 0, 190, 20, 0, 0, Math.PI * 2);
			pen.fill();
			pen.filter = 'none';
		});
		apart(pen, { x, y: 108 + rise + (which === 1 ? 0 : 24), turn, alpha: Math.min(1, come * 3), scale: 1.08 }, () =>
			book(pen, which),
		);
	}
}
