/** 'What the book gives you': five benefits, five tiers of the covers' building, from night to day. */
import {
	apart,
	between,
	bothBooks,
	box,
	colours,
	curve,
	disc,
	looks,
	mix,
	numeral,
	part,
	rupee,
	settle,
	shown,
	slab,
	stroke,
	through,
} from './drawing.mjs';

export const seconds = 36;

const first = 3.2;
const each = 5;
const risen = first + 5 * each;
const building = { cx: 880, top: 232, halfWidth: 92, growth: 64, tierHeight: 60 };
const horizon = 520;
const words = '#fbf3e2';
const gold = '#f2b04a';
/** Each against the sky of its hour. */
const numeralColours = [gold, gold, words, words, colours.ink];
const emblems = [reason, mind, day, money, people];

const stars = curve(46, (x) => {
	const spread = Math.sin(x * 4621.7) * 43758.5453;
	return [1280 * ((x * 19.37) % 1), 24 + 460 * (spread - Math.floor(spread))];
});

export function draw(pen, t) {
	const light = part(t, first, risen + 1.6);
	sky(pen, t, light);
	plan(pen, t);
	for (let number = 5; number >= 1; number -= 1) layTier(pen, t, 6 - number, light);
	for (const [index, emblem] of emblems.entries()) {
		const from = first + index * each;
		const alpha = shown(t, from, from + each, 0.45);
		if (alpha <= 0) continue;
		numeral(pen, index + 1, 92, 224, numeralColours[index], alpha);
		apart(pen, { x: 96, y: 280 + 16 * (1 - alpha), alpha }, () => emblem(pen, t - from, light));
	}
	if (t >= risen + 2.2) end(pen, t - risen - 2.2);
}

function sky(pen, t, light) {
	const above = through([colours.night, '#2b2b55', '#6a3f5c', '#c9743f', colours.saffron], light);
	const below = through(['#2a3560', '#54406b', '#b2604f', '#f0a850', '#f6c877'], light);
	const ground = pen.createLinearGradient(0, 0, 0, horizon);
	ground.addColorStop(0, above);
	ground.addColorStop(1, below);
	pen.fillStyle = ground;
	pen.fillRect(0, 0, 1280, horizon);
	for (const [index, [x, y]] of stars.entries()) {
		const twinkle = 0.6 + 0.4 * Math.sin(t * 1.7 + index * 2.1);
		apart(pen, { alpha: twinkle * (1 - part(light, 0.15, 0.6)) }, () =>
			disc(pen, x, y, index % 5 === 0 ? 2.6 : 1.7, colours.moon),
		);
	}
	const set = part(t, 0, risen - 4);
	apart(pen, { alpha: 1 - part(light, 0.5, 0.85) }, () =>
		disc(pen, between(1020, 1190, set), between(120, 470, set), 46, colours.moon),
	);
	const rise = part(t, risen - 1.4, risen + 1.6);
	if (rise > 0) disc(pen, building.cx, between(horizon + 140, building.top - 6, rise), 112, colours.cream);
	pen.fillStyle = through(['#121a33', '#241f3f', '#5a3242', '#a85f2c', colours.desk], light);
	pen.fillRect(0, horizon, 1280, 200);
}

/** What is to be built, as one sees it among the stars. */
function plan(pen, t) {
	apart(pen, { alpha: 0.75 * (1 - part(t, first + 6, first + 12)) }, () => {
		for (let tier = 4; tier >= 0; tier -= 1) {
			const half = building.halfWidth + building.growth * tier;
			const y = building.top + building.tierHeight * tier;
			const edge = [
				[building.cx - half, y],
				[building.cx, y + half / 2],
				[building.cx + half, y],
			];
			const from = 0.4 + (4 - tier) * 0.45;
			const line = { colour: colours.moon, width: 2.5, share: part(t, from, from + 0.9), dash: [0.1, 9] };
			stroke(pen, edge, line);
			if (tier === 0) stroke(pen, [edge[0], [building.cx, y - half / 2], edge[2]], line);
		}
	});
}

/** Tiers are laid from the ground up, the last one by the rope of those who pull with you. */
function layTier(pen, t, number, light) {
	const from = first + (number - 1) * each + (number === 5 ? 1.5 : 0.5);
	const until = from + (number === 5 ? 2.4 : 1.1);
	if (t < from) return;
	const tier = 5 - number;
	const lift = number === 5 ? 190 * (1 - part(t, from, until)) : 330 * (1 - settle(t, from, until));
	const look = looks.dusk.map((dusk, index) => mix(dusk, looks.day[index], Math.max(0.12, part(light, 0.1, 0.95))));
	apart(pen, { alpha: part(t, from, from + 0.35) }, () => slab(pen, building, tier, look, lift));
	if (number === 5) rope(pen, t, from, lift);
}

/** From the three who hold it over a wheel to the stone. */
function rope(pen, t, from, lift) {
	const alpha = shown(t, from, first + 5 * each, 0.4);
	const top = building.top - lift;
	apart(pen, { alpha }, () => {
		const line = { colour: words, width: 4 };
		stroke(
			pen,
			[
				[444, 448],
				[building.cx - 12, 14],
			],
			line,
		);
		stroke(
			pen,
			[
				[building.cx + 12, 14],
				[building.cx + 12, top - 34],
			],
			line,
		);
		stroke(
			pen,
			[
				[building.cx - 60, top],
				[building.cx + 12, top - 34],
				[building.cx + 60, top],
			],
			line,
		);
		disc(pen, building.cx, 12, 20, words);
		disc(pen, building.cx, 12, 7, colours.vermilion);
	});
}

/** One sentence on a sheet, underlined. */
function reason(pen, t) {
	apart(pen, { x: 166, y: 142, turn: -0.05 }, () => {
		box(pen, -128, -150, 256, 290, 8, colours.cream);
		const hand = (y, length, share) =>
			stroke(
				pen,
				curve(80, (x) => [-92 + length * x, y + 9 * Math.sin(x * length * 0.21) * (0.6 + 0.4 * Math.sin(x * 31))]),
				{ colour: colours.ink, width: 4.5, share },
			);
		hand(-52, 184, part(t, 0.6, 1.9));
		hand(0, 132, part(t, 1.9, 2.8));
		stroke(
			pen,
			[
				[-92, 34],
				[44, 30],
			],
			{ colour: colours.vermilion, width: 7, share: part(t, 2.8, 3.3) },
		);
		// For whom: a roof over two.
		apart(pen, { x: 0, y: 100, alpha: part(t, 3.2, 3.7) }, () => {
			stroke(
				pen,
				[
					[-52, -10],
					[0, -46],
					[52, -10],
				],
				{ colour: colours.vermilion, width: 7 },
			);
			for (const x of [-20, 20]) person(pen, x, 26, 0.42, colours.ink);
		});
		disc(pen, -96, -122, 7, colours.vermilion);
	});
}

/** Thoughts in a tangle, put in order to a sun. */
function mind(pen, t) {
	const order = part(t, 1, 2.8);
	pen.fillStyle = colours.cream;
	pen.beginPath();
	pen.moveTo(96, 316);
	pen.bezierCurveTo(100, 262, 74, 240, 56, 196);
	pen.bezierCurveTo(20, 100, 80, -2, 186, -2);
	pen.bezierCurveTo(276, -2, 324, 62, 324, 132);
	pen.lineTo(352, 188);
	pen.quadraticCurveTo(358, 202, 340, 206);
	pen.lineTo(330, 208);
	pen.quadraticCurveTo(334, 224, 326, 230);
	pen.quadraticCurveTo(334, 240, 326, 248);
	pen.quadraticCurveTo(330, 286, 290, 284);
	pen.lineTo(262, 280);
	pen.quadraticCurveTo(252, 296, 256, 316);
	pen.closePath();
	pen.fill();
	const tangle = curve(260, (x) => {
		const a = x * Math.PI * 2;
		const wild = 1 - order;
		return [
			186 + 50 * Math.cos(a) + wild * (46 * Math.sin(a * 7 + 1) + 22 * Math.cos(a * 13 + t)),
			132 + 50 * Math.sin(a) + wild * (44 * Math.cos(a * 5 + 2) + 22 * Math.sin(a * 11 + t)),
		];
	});
	apart(pen, { alpha: part(t, 2.6, 3.2) }, () => disc(pen, 186, 132, 50, colours.accent));
	stroke(pen, tangle, { colour: mix(colours.ink, colours.vermilion, order), width: 5, share: part(t, 0.2, 1.1) });
	for (let ray = 0; ray < 12; ray += 1) {
		const a = (ray / 12) * Math.PI * 2;
		const points = [64, 84].map((far) => [186 + far * Math.cos(a), 132 + far * Math.sin(a)]);
		stroke(pen, points, { colour: colours.vermilion, width: 6, share: part(t, 2.8 + ray * 0.03, 3.2 + ray * 0.03) });
	}
}

/** A dial with three fixed hours. */
function day(pen, t) {
	const turn = part(t, 0.5, 3.8);
	const at = (a, far) => [166 + far * Math.sin(a), 148 - far * Math.cos(a)];
	disc(pen, 166, 148, 150, colours.cream);
	for (const hour of [1.2, 4.6, 9.2]) {
		const from = (hour / 12) * Math.PI * 2;
		const share = part(turn, hour / 12, (hour + 1.3) / 12);
		const arc = curve(24, (x) => at(from + x * (Math.PI / 4.6), 112));
		stroke(pen, arc, { colour: '#ecdcbd', width: 34 });
		stroke(pen, arc, { colour: colours.vermilion, width: 34, share });
	}
	for (let tick = 0; tick < 12; tick += 1) {
		const a = (tick / 12) * Math.PI * 2;
		stroke(pen, [at(a, 136), at(a, tick % 3 === 0 ? 122 : 129)], { colour: colours.ink, width: 4 });
	}
	stroke(pen, [at(turn * Math.PI * 2, -18), at(turn * Math.PI * 2, 84)], { colour: colours.ink, width: 8 });
	disc(pen, 166, 148, 11, colours.ink);
}

/** One page: what came in, what went out, what works while one sleeps. */
function money(pen, t) {
	apart(pen, { x: 4, y: -6, turn: 0.02 }, () => {
		box(pen, 0, 0, 236, 296, 8, colours.cream);
		for (const [row, length, colour] of [
			[0, 172, colours.accent],
			[1, 96, colours.vermilion],
			[2, 128, '#33547a'],
		]) {
			const y = 54 + row * 78;
			const share = part(t, 0.5 + row * 0.7, 1.5 + row * 0.7);
			box(pen, 32, y - 26, 74, 8, 4, '#d9c7a2');
			box(pen, 32, y, 172, 24, 12, '#efe2c6');
			if (share > 0.08) box(pen, 32, y, length * share, 24, 12, colour);
		}
	});
	for (let coin = 0; coin < 5; coin += 1) {
		const come = settle(t, 1.4 + coin * 0.4, 1.9 + coin * 0.4);
		apart(
			pen,
			{ x: 300, y: 270 - coin * 27 - 90 * (1 - come), alpha: part(t, 1.4 + coin * 0.4, 1.6 + coin * 0.4) },
			() => {
				pen.fillStyle = '#b8741a';
				pen.beginPath();
				pen.ellipse(0, 10, 66, 25, 0, 0, Math.PI * 2);
				pen.ellipse(0, 0, 66, 25, 0, 0, Math.PI * 2);
				pen.fill();
				pen.fillStyle = '#f7c76a';
				pen.beginPath();
				pen.ellipse(0, -6, 66, 25, 0, 0, Math.PI * 2);
				pen.fill();
				pen.save();
				pen.scale(1, 0.42);
				rupee(pen, 0, 4, 62, '#8a4f10');
				pen.restore();
			},
		);
	}
}

/** Three who hold one rope. */
function people(pen, t) {
	for (const [index, colour] of [colours.vermilion, words, '#33547a'].entries()) {
		const come = settle(t, 0.2 + index * 0.35, 0.8 + index * 0.35);
		const lean = -0.16 * part(t, 1.2, 1.8);
		apart(pen, { x: 66 + index * 106 - 50 * (1 - come), y: 262, turn: lean, alpha: Math.min(1, come) }, () => {
			person(pen, 0, 0, 1.25, colour);
			stroke(
				pen,
				[
					[6, -52],
					[46, -72 - index * 6],
				],
				{ colour, width: 15, share: part(t, 1, 1.4) },
			);
		});
	}
	stroke(
		pen,
		[
			[88, 186],
			[206, 178],
			[312, 171],
			[348, 168],
		],
		{ colour: words, width: 4, share: part(t, 1.2, 1.7) },
	);
}

/** Head and shoulders, standing on (x, y). */
function person(pen, x, y, unit, colour) {
	disc(pen, x, y - 112 * unit, 24 * unit, colour);
	pen.beginPath();
	pen.roundRect(x - 34 * unit, y - 82 * unit, 68 * unit, 84 * unit, [34 * unit, 34 * unit, 8 * unit, 8 * unit]);
	pen.fill();
}

/** The sun takes the whole picture; on its paper stand the books. */
function end(pen, t) {
	const radius = between(112, 1180, part(t, 0, 1.1));
	disc(pen, building.cx, building.top - 6, radius, mix(colours.cream, colours.paper, part(t, 0.2, 1.1)));
	bothBooks(pen, part(t, 0.9, 1.8));
}
