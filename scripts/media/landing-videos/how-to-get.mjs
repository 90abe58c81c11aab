/** 'From payment to page one': pay, fill in the form, open the letter, read; and the form again if anything is wrong. */
import {
	apart,
	between,
	bothBooks,
	box,
	check,
	colours,
	curve,
	disc,
	face,
	looks,
	mix,
	numeral,
	part,
	press,
	pyramid,
	rupee,
	settle,
	shown,
	sign,
	stroke,
} from './drawing.mjs';

export const seconds = 36;

const desk = 520;
const paid = 8;
const sent = 16.5;
const opened = 24.5;
const again = 29.5;

export function draw(pen, t) {
	pen.fillStyle = colours.saffron;
	pen.fillRect(0, 0, 1280, desk);
	pen.fillStyle = colours.desk;
	pen.fillRect(0, desk, 1280, 200);
	for (const [number, from, to] of [
		[1, 0.3, paid],
		[2, paid, sent],
		[3, sent, opened],
		[4, opened, again],
	])
		numeral(pen, number, 92, 224, colours.ink, shown(t, from, to, 0.45));
	if (t < paid + 1) phone(pen, t);
	if (t > paid - 0.3 && t < sent + 1.2) form(pen, t - paid);
	if (t > 5.6 && t < paid + 6) receipt(pen, t);
	if (t > sent && t < opened + 0.6) letter(pen, t - sent);
	if (t > opened && t < again + 0.6) formAgain(pen, t - opened);
	if (t > again) reading(pen, t - again);
}

/** Modules of a code: three finders and a field that only looks like one. */
function code(pen, side, share) {
	const count = 25;
	const unit = side / count;
	const isFinder = (x, y) => (x < 8 && y < 8) || (x > 16 && y < 8) || (x < 8 && y > 16);
	pen.fillStyle = colours.ink;
	for (let y = 0; y < count * share; y += 1) {
		for (let x = 0; x < count; x += 1) {
			const noise = Math.sin(x * 127.1 + y * 311.7) * 43758.5453;
			if (!isFinder(x, y) && noise - Math.floor(noise) > 0.52) pen.fillRect(x * unit, y * unit, unit + 0.3, unit + 0.3);
		}
	}
	for (const [x, y] of [
		[0, 0],
		[18, 0],
		[0, 18],
	]) {
		if (y > count * share) continue;
		pen.strokeStyle = colours.ink;
		pen.lineWidth = unit;
		pen.beginPath();
		pen.roundRect((x + 0.5) * unit, (y + 0.5) * unit, 6 * unit, 6 * unit, 1.6 * unit);
		pen.stroke();
		box(pen, (x + 2) * unit, (y + 2) * unit, 3 * unit, 3 * unit, unit * 0.8, colours.ink);
	}
}

/** What every paid receipt shows: a check, the currency, two lines. */
function paidFace(pen, width, height, share) {
	disc(pen, width / 2, height * 0.3, 46 * share, colours.positive);
	check(pen, width / 2, height * 0.3, 20, part(share, 0.4, 1), '#ffffff', 8);
	rupee(pen, width / 2, height * 0.58, 76, colours.ink);
	for (const [y, length] of [
		[0.7, 0.62],
		[0.78, 0.42],
	])
		box(pen, width / 2 - (width * length) / 2, height * y, width * length, 12, 6, '#dccfb6');
}

function phone(pen, t) {
	const come = settle(t, 0.3, 1.2);
	const leave = part(t, paid - 0.2, paid + 0.8);
	apart(pen, { x: 640 - 900 * leave, y: 70 + 620 * (1 - come) }, () => {
		box(pen, -160, 0, 320, 610, 46, colours.ink);
		box(pen, -144, 16, 288, 578, 32, colours.paper);
		box(pen, -44, 28, 88, 16, 8, colours.ink);
		const isPaid = part(t, 4.9, 5.3);
		apart(pen, { alpha: 1 - isPaid }, () => {
			apart(pen, { x: -100, y: 84 }, () => code(pen, 200, part(t, 1, 2)));
			const scan = part(t, 2.1, 3.3);
			if (scan > 0 && scan < 1) box(pen, -116, 80 + 204 * scan, 232, 6, 3, colours.vermilion);
			apart(pen, { alpha: part(t, 3.2, 3.6) }, () => rupee(pen, 0, 394, 92, colours.ink));
			const isPressed = t > 4.3 && t < 4.6;
			apart(pen, { alpha: part(t, 3.4, 3.8), scale: isPressed ? 0.96 : 1, y: isPressed ? 18 : 0 }, () => {
				box(pen, -108, 436, 216, 66, 14, colours.ink);
				stroke(
					pen,
					[
						[-22, 469],
						[22, 469],
					],
					{ colour: colours.paper, width: 6 },
				);
				stroke(
					pen,
					[
						[8, 455],
						[22, 469],
						[8, 483],
					],
					{ colour: colours.paper, width: 6 },
				);
			});
		});
		if (isPaid > 0) apart(pen, { x: -144, y: 30, alpha: isPaid }, () => paidFace(pen, 288, 540, settle(t, 5, 5.7)));
		press(pen, 0, 470, t, 4.3);
		const flash = shown(t, 5.9, 6.4, 0.2);
		apart(pen, { alpha: flash }, () => box(pen, -144, 16, 288, 578, 32, '#ffffff'));
	});
}

/** The screenshot: leaves the phone, waits beside it, and goes into the form. */
function receipt(pen, t) {
	const out = settle(t, 6.1, 7);
	const go = part(t, paid + 4, paid + 4.9);
	if (t < 6.1 || go >= 1) return;
	const waiting = { x: between(640, 930, out), y: between(330, 300, out), scale: between(0.9, 0.62, out) };
	const over = part(t, paid - 0.2, paid + 0.8);
	const stand = { x: between(waiting.x, 262, over), y: between(waiting.y, 430, over) };
	apart(
		pen,
		{
			x: between(stand.x, 560, go),
			y: between(stand.y, 448, go) - 90 * Math.sin(go * Math.PI),
			scale: between(waiting.scale, 0.2, go),
			turn: between(0.07 * out, 0, go),
		},
		() => {
			pen.shadowColor = 'rgb(22 19 15 / 0.28)';
			pen.shadowBlur = 30;
			pen.shadowOffsetY = 12;
			box(pen, -144, -230, 288, 460, 20, colours.card);
			pen.shadowColor = 'transparent';
			apart(pen, { x: -144, y: -230 }, () => paidFace(pen, 288, 460, 1));
		},
	);
}

/** A card with a shadow, from its middle. */
function card(pen, width, height) {
	pen.shadowColor = 'rgb(22 19 15 / 0.25)';
	pen.shadowBlur = 36;
	pen.shadowOffsetY = 16;
	box(pen, -width / 2, -height / 2, width, height, 16, colours.card);
	pen.shadowColor = 'transparent';
	pen.shadowBlur = 0;
	pen.shadowOffsetY = 0;
}

const marks = [
	(pen) => {
		disc(pen, 0, -9, 8, colours.inkSoft);
		box(pen, -13, 2, 26, 15, [13, 13, 3, 3], colours.inkSoft);
	},
	(pen) => {
		box(pen, -9, -16, 18, 32, 5, colours.inkSoft);
		box(pen, -6, -11, 12, 19, 2, colours.card);
	},
	(pen) => {
		pen.fillStyle = colours.inkSoft;
		pen.font = '500 30px Fraunces';
		pen.textAlign = 'center';
		pen.fillText('@', 0, 8);
	},
	(pen) => rupee(pen, 0, 11, 30, colours.inkSoft),
];

/** The form's card, from its middle; `t` counts from its coming. */
function formCard(pen, t) {
	card(pen, 560, 560);
	for (const [row, mark] of marks.entries()) {
		const y = -240 + row * 82;
		const typed = part(t, 0.9 + row * 0.75, 1.6 + row * 0.75);
		const isHere = typed > 0 && typed < 1;
		box(pen, -240, y, 480, 62, 10, '#ffffff', isHere ? colours.accent : colours.line);
		apart(pen, { x: -206, y: y + 31 }, () => mark(pen));
		const length = [230, 190, 310, 250][row] * typed;
		for (let dot = 0; dot < length; dot += 20) {
			const isGap = (dot / 20 + row) % 5 === 4;
			if (!isGap) box(pen, -168 + dot, y + 24, Math.min(16, length - dot), 14, 5, colours.ink);
		}
		if (isHere) box(pen, -164 + length, y + 15, 3, 32, 1, colours.vermilion);
	}
	const isIn = part(t, 4.8, 5);
	box(pen, -240, 92, 480, 74, 10, mix(colours.paper, '#eaf3ea', isIn), isIn > 0 ? colours.positive : colours.line);
	apart(pen, { x: -198, y: 129, alpha: 1 - isIn }, () => {
		stroke(
			pen,
			[
				[0, 14],
				[0, -14],
			],
			{ colour: colours.inkSoft, width: 5 },
		);
		stroke(
			pen,
			[
				[-11, -4],
				[0, -15],
				[11, -4],
			],
			{ colour: colours.inkSoft, width: 5 },
		);
	});
	apart(pen, { x: -198, y: 129, alpha: isIn }, () => {
		box(pen, -19, -29, 38, 58, 4, '#ffffff', colours.line);
		disc(pen, 0, -10, 8, colours.positive);
		box(pen, -10, 8, 20, 4, 2, '#dccfb6');
	});
	check(pen, 196, 129, 12, part(t, 5, 5.4), colours.positive, 6);
	const isPressed = t > 6.1 && t < 6.4;
	const isDone = part(t, 6.5, 6.8);
	apart(pen, { y: isPressed ? 3 : 0 }, () => {
		box(pen, -240, 192, 480, 64, 10, mix(colours.accent, colours.positive, isDone));
		apart(pen, { alpha: 1 - isDone }, () => {
			stroke(
				pen,
				[
					[-24, 224],
					[24, 224],
				],
				{ colour: colours.ink, width: 6 },
			);
			stroke(
				pen,
				[
					[10, 210],
					[24, 224],
					[10, 238],
				],
				{ colour: colours.ink, width: 6 },
			);
		});
		check(pen, 0, 224, 15, part(t, 6.7, 7.1), '#ffffff', 7);
	});
	press(pen, 40, 226, t, 6.1);
}

function form(pen, t) {
	const come = settle(t, -0.2, 0.8);
	const leave = part(t, sent - paid - 0.2, sent - paid + 0.8);
	const at = {
		x: 760 + 900 * (1 - come),
		y: between(318, 300, leave),
		scale: between(1, 0.16, leave),
		alpha: 1 - part(leave, 0.8, 1),
	};
	apart(pen, at, () => formCard(pen, t));
}

/** The way of the letter over the desk. */
const flight = (x) => [between(330, 790, x), 330 - 210 * Math.sin(x * Math.PI) + 60 * x];

function letter(pen, t) {
	const fly = part(t, 0.6, 2.2);
	const open = part(t, 2.8, 3.4);
	const rise = part(t, 3.3, 4.3);
	const leave = part(t, 7.6, 8.3);
	const [x, y] = flight(fly);
	apart(pen, { alpha: part(t, 0.5, 0.8) * (1 - part(t, 2.4, 2.9)) }, () =>
		stroke(pen, curve(60, flight), { colour: colours.ink, width: 5, share: fly, dash: [0.1, 17] }),
	);
	const at = {
		x: between(x, 790, part(t, 2.2, 2.8)),
		y: between(y, 430, part(t, 2.2, 2.8)) + 420 * leave,
		turn: -0.28 * (1 - fly) - 0.02,
		scale: between(0.42, 1, part(t, 1.2, 2.4)),
		alpha: part(t, 0.2, 0.6),
	};
	apart(pen, at, () => {
		pen.shadowColor = 'rgb(22 19 15 / 0.25)';
		pen.shadowBlur = 30;
		pen.shadowOffsetY = 14;
		box(pen, -210, -120, 420, 260, 10, '#f0ddb8');
		pen.shadowColor = 'transparent';
		if (open > 0)
			face(
				pen,
				[
					[-210, -116],
					[0, -116 - 150 * open],
					[210, -116],
				],
				'#e6cd9c',
			);
		pen.save();
		pen.beginPath();
		pen.rect(-260, -700, 520, 826);
		pen.clip();
		if (rise > 0) sheet(pen, -100 - 200 * rise, t - 4.3);
		pen.restore();
		face(
			pen,
			[
				[-210, -112],
				[0, 40],
				[-210, 140],
			],
			colours.cream,
		);
		face(
			pen,
			[
				[210, -112],
				[0, 40],
				[210, 140],
			],
			colours.cream,
		);
		face(
			pen,
			[
				[-210, 140],
				[0, 4],
				[210, 140],
			],
			'#fffaf0',
		);
		stroke(
			pen,
			[
				[-208, 138],
				[0, 6],
				[208, 138],
			],
			{ colour: '#dfc596', width: 3 },
		);
		if (open < 0.5) {
			face(
				pen,
				[
					[-210, -118],
					[0, -118 + 158 * (1 - open * 2)],
					[210, -118],
				],
				'#fffdf9',
			);
			stroke(
				pen,
				[
					[-208, -116],
					[0, -118 + 158 * (1 - open * 2)],
					[208, -116],
				],
				{ colour: '#d9b98a', width: 3 },
			);
			apart(pen, { y: 34, alpha: 1 - part(open, 0, 0.3) }, () => {
				disc(pen, 0, 0, 34, colours.vermilion);
				pen.fillStyle = colours.cream;
				disc(pen, 0, -13, 6, colours.cream);
				for (const [y, half] of [
					[-7, 6],
					[0, 13],
					[7, 20],
				])
					pen.fillRect(-half, y, half * 2, 7);
			});
		}
	});
}

/** The login: who one is, the hidden password, a key to press. */
function sheet(pen, y, t) {
	box(pen, -176, y, 352, 330, 8, '#ffffff');
	apart(pen, { x: -120, y: y + 66 }, () => {
		disc(pen, 0, -11, 12, colours.ink);
		box(pen, -19, 4, 38, 22, [19, 19, 4, 4], colours.ink);
	});
	box(pen, -76, y + 52, 196 * part(t, 0, 0.6), 16, 8, colours.ink);
	for (let dot = 0; dot < 8; dot += 1) if (t > 0.6 + dot * 0.1) disc(pen, -68 + dot * 26, y + 128, 8, colours.ink);
	apart(pen, { x: -120, y: y + 126 }, () => {
		box(pen, -18, -4, 36, 26, 6, colours.ink);
		pen.strokeStyle = colours.ink;
		pen.lineWidth = 6;
		pen.beginPath();
		pen.arc(0, -6, 11, Math.PI, 0);
		pen.stroke();
	});
	const isPressed = t > 2 && t < 2.3;
	box(pen, -140, y + 172 + (isPressed ? 3 : 0), 280, 58, 10, colours.accent);
	stroke(
		pen,
		[
			[-22, y + 201],
			[22, y + 201],
		],
		{ colour: colours.ink, width: 6 },
	);
	stroke(
		pen,
		[
			[9, y + 188],
			[22, y + 201],
			[9, y + 214],
		],
		{ colour: colours.ink, width: 6 },
	);
	press(pen, 30, y + 204, t, 2);
}

/** The form once more: an arrow round about it, and it is well. */
function formAgain(pen, t) {
	const alpha = shown(t, 0, again - opened, 0.5);
	apart(pen, { x: 760, y: 318, alpha }, () => {
		apart(pen, { scale: 0.62 }, () => formCard(pen, between(1, 7.4, part(t, 1, 4))));
		const turn = part(t, 0.4, 2.6) * Math.PI * 1.72;
		const from = -Math.PI * 0.4;
		const arc = curve(60, (x) => [270 * Math.cos(from + turn * x), 270 * Math.sin(from + turn * x)]);
		stroke(pen, arc, { colour: colours.ink, width: 10 });
		const [tipX, tipY] = arc.at(-1);
		apart(pen, { x: tipX, y: tipY, turn: from + turn }, () =>
			stroke(
				pen,
				[
					[-26, -20],
					[0, 8],
					[26, -20],
				],
				{ colour: colours.ink, width: 10 },
			),
		);
	});
}

/** The book comes, opens, and is read; then both stand there. */
function reading(pen, t) {
	const close = part(t, 4.2, 4.9);
	const paper = part(t, 0, 0.8);
	pen.globalAlpha = paper;
	pen.fillStyle = mix(colours.cream, colours.paper, close);
	pen.fillRect(0, 0, 1280, 720);
	pen.globalAlpha = 1;
	apart(pen, { alpha: 1 - close, y: 60 * (1 - settle(t, 0.3, 1)) }, () => openBook(pen, t));
	if (close > 0) bothBooks(pen, close);
}

function openBook(pen, t) {
	const open = part(t, 0.9, 2);
	const x = between(470, 640, open);
	apart(pen, { x, y: 90, alpha: part(t, 0.3, 0.8) }, () => {
		pen.shadowColor = 'rgb(22 19 15 / 0.25)';
		pen.shadowBlur = 40;
		pen.shadowOffsetY = 20;
		box(pen, 0, 0, 352, 500, 6, '#ffffff');
		pen.shadowColor = 'transparent';
		pen.shadowBlur = 0;
		pen.shadowOffsetY = 0;
		for (let leaf = 1; leaf < 5; leaf += 1)
			stroke(
				pen,
				[
					[352 + leaf * 3, 4],
					[352 + leaf * 3, 500],
				],
				{ colour: leaf % 2 ? '#e2d3b2' : '#f3ead6', width: 3 },
			);
		page(pen, t);
		const fold = pen.createLinearGradient(0, 0, 40, 0);
		fold.addColorStop(0, 'rgb(22 19 15 / 0.2)');
		fold.addColorStop(1, 'rgb(22 19 15 / 0)');
		pen.fillStyle = fold;
		pen.fillRect(0, 0, 40, 500);
		leftSide(pen, open);
	});
}

/** The cover, turning over to the left; its inner side carries the building. */
function leftSide(pen, open) {
	const width = 352 * Math.cos(open * Math.PI);
	const lean = 26 * Math.sin(open * Math.PI);
	pen.save();
	pen.transform(width / 352, (-lean * Math.sign(width || 1)) / 352, 0, 1, 0, 0);
	pen.beginPath();
	pen.roundRect(0, 0, 352, 500, 4);
	pen.clip();
	const isOver = open > 0.5;
	// Seen from behind it would be mirrored.
	if (isOver) pen.transform(-1, 0, 0, 1, 352, 0);
	pen.fillStyle = isOver ? colours.night : colours.saffron;
	pen.fillRect(0, 0, 352, 500);
	const middle = 176;
	disc(pen, isOver ? 104 : middle, isOver ? 150 : 250, isOver ? 34 : 66, isOver ? colours.moon : colours.cream);
	pyramid(
		pen,
		{ cx: middle, top: isOver ? 250 : 252, halfWidth: 66, growth: 46, tierHeight: 34, tiers: 6 },
		isOver ? looks.saffron : looks.day,
	);
	pen.restore();
}

/** Page one, written as it is read. */
function page(pen, t) {
	sign(pen, '1', { font: '420 SIZE Fraunces', x: 48, y: 122, height: 92, colour: colours.vermilion });
	for (let line = 0; line < 9; line += 1) {
		const share = part(t, 1.7 + line * 0.2, 2.1 + line * 0.2);
		const length = [256, 248, 256, 240, 256, 150, 256, 246, 190][line];
		if (share > 0.03) box(pen, 48, 168 + line * 32 + (line > 5 ? 14 : 0), length * share, 9, 4, '#8d8373');
	}
}
