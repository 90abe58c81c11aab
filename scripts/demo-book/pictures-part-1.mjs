import {
	at,
	colour as c,
	clock,
	crescent,
	disc,
	head,
	inside,
	jar,
	kettle,
	line,
	oval,
	person,
	plate,
	rect,
	shape,
	sitter,
	stars,
	times,
} from './drawing.mjs';

/** The pictures of Part 1 by name: one at the head of each chapter, under its slug, and two plates. */
export const picturesPart1 = {
	'where-you-stand': () =>
		head(
			c.cream,
			disc(870, 190, 104, c.saffron),
			shape('M0 236 C150 190 260 206 400 232 C560 262 690 176 860 198 C980 214 1060 180 1160 190 V430 H0 Z', c.sand),
			shape('M0 276 C190 250 330 300 520 284 C720 268 860 232 1160 262 V430 H0 Z', c.amber),
			// A theodolite on the second ridge.
			at(
				1010,
				250,
				line('M0 -58 L-26 8 M0 -58 L26 8 M0 -58 V10', c.umber, 6) +
					rect(-22, -84, 44, 20, c.umber, 'rx="4"') +
					rect(18, -80, 18, 12, c.umber),
			),
			shape('M0 316 C240 282 420 330 640 322 C840 314 980 292 1160 306 V430 H0 Z', c.brick),
			// Heights round the peg, as a map draws them.
			inside(
				'field',
				shape('M0 316 C240 282 420 330 640 322 C840 314 980 292 1160 306 V430 H0 Z', c.brick),
				times(7, (ring) =>
					oval(
						300,
						392,
						74 + ring * 84,
						18 + ring * 23,
						'none',
						`stroke="${c.cream}" stroke-width="2.5" opacity="${0.75 - ring * 0.07}"`,
					),
				),
			),
			times(3, (ray) =>
				line(`M300 214 L${[1160, 1160, 760][ray]} ${[150, 228, 0][ray]}`, c.brick, 3.5, 'stroke-dasharray="2 13"'),
			),
			oval(322, 394, 66, 12, c.umber, 'opacity="0.5"'),
			shape('M280 214 H320 L311 396 L300 410 L289 396 Z', c.night),
			shape('M288 214 H298 L297 402 L289 396 Z', c.slate),
			rect(262, 192, 76, 26, c.night, 'rx="6"'),
			rect(262, 192, 76, 9, c.slate, 'rx="4"'),
		),

	belief: () =>
		head(
			c.night,
			disc(250, 300, 210, c.dusk),
			rect(0, 384, 1160, 46, c.umber),
			// The notebook under the kettle lies on the stove.
			rect(130, 300, 236, 92, c.brick, 'rx="8"'),
			rect(130, 300, 236, 14, c.maroon, 'rx="6"'),
			shape('M176 392 V352 C176 322 320 322 320 352 V392 Z', c.ink),
			shape(
				'M206 392 C196 362 226 362 222 340 C244 352 240 368 252 352 C262 338 254 332 262 322 C292 350 300 372 288 392 Z',
				c.saffron,
			),
			shape('M228 392 C226 374 244 374 248 360 C264 374 268 382 262 392 Z', c.cream),
			rect(148, 286, 200, 16, c.page, 'rx="3"'),
			rect(148, 280, 200, 8, c.rust, 'rx="3"'),
			at(246, 280, kettle(c.saffron, c.cream, c.maroon)),
			// The steam draws the shop.
			line('M392 146 C420 118 404 92 436 74 C470 54 470 96 510 96 H560', c.cream, 5),
			line('M560 150 L604 96 H1024 L1068 150 Z', c.cream, 5),
			times(13, (rib) =>
				line(`M${592 + rib * 37 - (rib - 6) * 1.5} 150 L${608 + rib * 34} 98`, c.cream, 2.5, 'opacity="0.75"'),
			),
			line('M584 150 V384 M1044 150 V384', c.cream, 5),
			line('M660 172 H968 V214 H660 Z', c.cream, 4),
			line('M684 193 C704 182 716 204 740 193 C762 182 774 204 800 193', c.saffron, 5),
			line('M584 312 H1044 M600 312 V384 M1028 312 V384', c.cream, 4),
			line('M622 234 H720 V294 H622 Z M671 234 V294 M908 234 H1006 V294 H908 Z M957 234 V294', c.cream, 4),
			line('M760 312 V240 H868 V312', c.cream, 4),
			times(6, (stool) => {
				const x = 634 + stool * 72;
				return line(
					`M${x - 22} 346 H${x + 22} M${x - 14} 346 L${x - 19} 384 M${x + 14} 346 L${x + 19} 384`,
					stool < 4 ? c.saffron : c.cream,
					4.5,
				);
			}),
		),

	mindset: () =>
		head(
			c.cream,
			disc(168, 318, 132, c.saffron),
			line('M168 132 V156 M44 176 L64 200 M292 176 L272 200 M-18 288 L14 294', c.saffron, 8),
			shape('M0 344 H1160 V430 H0 Z', c.amber),
			rect(0, 322, 360, 28, c.sand),
			// The shop.
			rect(360, 30, 560, 344, c.maroon),
			rect(340, 18, 600, 34, c.brick, 'rx="4"'),
			rect(410, 84, 460, 290, c.umber),
			rect(410, 300, 460, 74, c.brick),
			rect(400, 288, 480, 16, c.saffron),
			times(8, (slat) => rect(410, 84 + slat * 14, 460, 11, slat % 2 ? c.haze : c.slate)),
			rect(404, 194, 472, 13, c.night, 'rx="4"'),
			disc(640, 200, 9, c.saffron),
			// The slate: one line of chalk, and its tick.
			at(
				560,
				288,
				rect(-96, -74, 150, 74, c.sand, 'rx="6"') +
					rect(-87, -66, 132, 59, c.ink) +
					line('M-72 -36 C-60 -48 -50 -26 -38 -37 C-26 -48 -18 -26 -4 -37', c.paper, 4.5) +
					line('M12 -38 L20 -28 L36 -52', c.saffron, 5),
			),
			rect(630, 280, 34, 8, c.paper, 'rx="4"'),
			// The handcart and its buckets, washed.
			rect(940, 296, 214, 14, c.umber, 'rx="5"'),
			line('M1154 303 H1192', c.umber, 10),
			times(
				2,
				(wheel) =>
					disc(990 + wheel * 116, 350, 34, c.umber) +
					disc(990 + wheel * 116, 350, 25, c.amber) +
					disc(990 + wheel * 116, 350, 7, c.umber),
			),
			bucket(984, 296, c.rust),
			bucket(1046, 296, c.night),
			bucket(1108, 296, c.leaf),
			bucket(1014, 240, c.saffron),
			bucket(1078, 240, c.rust),
			bucket(1046, 184, c.slate),
		),

	'the-sentence': () =>
		head(
			c.maroon,
			times(64, (thread) =>
				line(`M${10 + thread * 18.4} -4 V434`, [c.brick, c.rust, c.brick, c.amber][thread % 4], 3.2),
			),
			rect(0, 356, 1160, 20, c.umber),
			rect(0, 390, 1160, 40, c.saffron),
			times(40, (tooth) => rect(8 + tooth * 29, 398, 15, 24, tooth % 4 === 1 ? c.maroon : c.rust)),
			lens('left', 404),
			lens('right', 744),
			line('M528 196 C548 160 600 160 620 196', c.night, 17),
			line('M282 186 C236 172 180 184 128 150', c.night, 17),
			line('M866 186 C912 172 968 184 1020 150', c.night, 17),
			// The shuttle.
			at(
				1010,
				336,
				shape('M-130 0 C-80 -34 80 -34 130 0 C80 34 -80 34 -130 0 Z', c.sand) +
					rect(-58, -14, 116, 28, c.umber, 'rx="14"') +
					times(9, (turn) => line(`M${-44 + turn * 11} -11 V11`, c.saffron, 7)),
				{ turn: -9 },
			),
		),

	'three-fixed-hours': () =>
		head(
			c.cream,
			rect(387, 0, 387, 430, c.saffron),
			rect(774, 0, 386, 430, c.night),
			// Six: the bench, with the sun behind it.
			disc(120, 314, 84, c.saffron),
			rect(0, 314, 387, 116, c.sand),
			rect(56, 286, 280, 18, c.maroon, 'rx="4"'),
			rect(78, 304, 20, 74, c.brick),
			rect(294, 304, 20, 74, c.brick),
			at(
				236,
				286,
				shape('M-44 0 L-34 -40 H30 L40 0 Z', c.leaf) +
					line('M26 -34 C56 -48 62 -66 92 -74', c.leaf, 9) +
					line('M-34 -18 C-66 -18 -64 -58 -34 -52', c.leaf, 8),
			),
			at(122, 284, line('M-30 0 H44', c.night, 12) + shape('M-30 -14 L-58 -12 L-50 0 L-58 12 L-30 12 Z', c.night)),
			// Eleven: a stool on the pavement, and empty hands.
			rect(387, 338, 387, 92, c.amber),
			shape(
				'M387 96 V0 H774 V96 C762 120 722 120 710 96 C698 120 658 120 646 96 C634 120 593 120 581 96 C569 120 529 120 517 96 C505 120 464 120 452 96 C440 120 399 120 387 96 Z',
				c.rust,
			),
			times(3, (stripe) =>
				shape(
					`M${452 + stripe * 129} 0 H${517 + stripe * 129} V96 C${505 + stripe * 129} 120 ${464 + stripe * 129} 120 ${452 + stripe * 129} 96 Z`,
					c.paper,
				),
			),
			line('M520 310 H640 M540 312 L528 384 M620 312 L632 384 M536 352 H624', c.maroon, 13),
			rect(546, 286, 70, 13, c.night, 'rx="3"'),
			rect(552, 276, 60, 11, c.paper, 'rx="2"'),
			// Nine: the kitchen table under its lamp.
			crescent(850, 92, 34, c.cream),
			line('M1000 0 V124', c.slate, 5),
			shape('M1000 148 L886 336 H1114 Z', c.dusk),
			shape('M966 158 C966 112 1034 112 1034 158 Z', c.saffron),
			oval(1000, 158, 34, 6, c.cream),
			rect(870, 330, 264, 16, c.brick, 'rx="4"'),
			rect(890, 346, 16, 60, c.maroon),
			rect(1096, 346, 16, 60, c.maroon),
			shape('M940 330 L952 314 H996 L1000 320 L1004 314 H1048 L1060 330 Z', c.paper),
			line('M1066 326 L1090 306', c.saffron, 6),
			// One line of rails carries all three.
			rect(0, 376, 1160, 54, c.umber),
			times(30, (sleeper) => rect(8 + sleeper * 39, 384, 20, 42, c.maroon)),
			rect(0, 392, 1160, 7, c.haze),
			rect(0, 412, 1160, 7, c.haze),
			line('M236 -4 V60 M580 -4 V150', c.umber, 6),
			at(236, 104, clock(50, c.paper, c.maroon, 6)),
			at(580, 186, clock(50, c.paper, c.maroon, 11)),
			at(1100, 92, clock(42, c.cream, c.slate, 9)),
		),

	'saying-no': () =>
		head(
			c.umber,
			rect(0, 0, 560, 376, c.maroon),
			// Light comes down the stairs from above.
			shape('M1160 0 V430 H470 L760 0 Z', c.maroon),
			shape('M1160 0 V430 H640 L930 0 Z', c.brick),
			rect(0, 376, 1160, 54, c.umber),
			// The locked door.
			rect(150, 48, 226, 328, c.umber, 'rx="4"'),
			rect(166, 64, 194, 312, c.rust),
			rect(186, 88, 154, 104, c.brick, 'rx="3"'),
			rect(186, 214, 154, 136, c.brick, 'rx="3"'),
			rect(166, 368, 194, 9, c.cream),
			shape('M166 377 H360 L420 430 H106 Z', c.amber, 'opacity="0.55"'),
			disc(338, 204, 11, c.saffron),
			rect(329, 224, 18, 24, c.saffron, 'rx="4"'),
			disc(338, 232, 3.5, c.umber),
			rect(336, 232, 4, 9, c.umber),
			disc(82, 116, 62, c.brick),
			line('M82 0 V84', c.umber, 6),
			shape('M60 92 C62 78 102 78 104 92 Z', c.umber),
			rect(64, 92, 36, 48, c.saffron, 'rx="6"'),
			shape('M82 100 C96 118 92 134 82 134 C72 134 68 118 82 100 Z', c.cream),
			rect(58, 138, 48, 9, c.umber, 'rx="4"'),
			// The stairs, and what waits there.
			times(
				6,
				(step) =>
					rect(560 + step * 108, 318 - step * 58, 620, 58, [c.sand, c.cream][step % 2]) +
					rect(560 + step * 108, 318 - step * 58, 620, 10, c.paper),
			),
			at(
				738,
				260,
				line('M-38 -8 V-132 C-38 -152 38 -152 38 -132 V-8', c.night, 9) +
					times(
						3,
						(tin) =>
							rect(-45, -38 - tin * 36, 90, 34, c.haze, 'rx="5"') +
							rect(-45, -38 - tin * 36, 20, 34, c.paper, 'rx="5"') +
							rect(-48, -42 - tin * 36, 96, 8, c.slate, 'rx="4"'),
					) +
					oval(0, -116, 40, 10, c.slate) +
					rect(-17, -160, 34, 14, c.night, 'rx="6"'),
			),
			at(840, 202, shape('M-42 0 L-38 -12 H38 L42 0 Z', c.rust) + shape('M-34 -12 L-30 -24 H34 L38 -12 Z', c.night)),
		),

	'money-you-can-see': () =>
		head(
			c.dusk,
			rect(640, 0, 360, 236, c.umber),
			rect(654, 0, 332, 222, c.night),
			disc(800, 60, 2.6, c.cream),
			disc(700, 132, 2.6, c.cream),
			disc(934, 160, 2.6, c.cream),
			disc(744, 190, 2, c.cream),
			crescent(850, 104, 56, c.cream),
			rect(814, 0, 12, 44, c.umber),
			// The shoebox, with all that it knows folded in four.
			times(6, (slip) =>
				rect(
					104 + slip * 36,
					148 - ((slip * 53) % 61),
					62,
					150,
					[c.paper, c.cream, c.page, c.haze, c.paper, c.sand][slip],
					`rx="2" transform="rotate(${slip * 7 - 18} ${135 + slip * 36} 330)"`,
				),
			),
			rect(76, 232, 300, 114, c.rust),
			rect(76, 232, 300, 26, c.brick),
			rect(196, 284, 60, 34, c.cream, 'rx="3"'),
			// Seven jars, two of them worth their glass.
			rect(0, 346, 1160, 22, c.saffron),
			rect(0, 368, 1160, 62, c.maroon),
			times(7, (index) =>
				at(
					486 + index * 102,
					346,
					jar(
						index < 2 ? c.cream : c.slate,
						index < 2 ? c.rust : c.haze,
						index < 2
							? times(
									index ? 5 : 4,
									(row) => oval(-12, -12 - row * 17, 21, 7.5, c.amber) + oval(14, -16 - row * 17, 20, 7.5, c.brick),
								)
							: index === 6
								? shape('M-30 -8 L-10 -16 L-18 0 Z M8 -2 L26 -12 L24 0 Z', c.amber)
								: '',
					),
				),
			),
		),

	'plate-twenty-past-eleven': () =>
		plate(
			c.night,
			stars(30, 1160, 330, c.cream),
			crescent(900, 150, 70, c.cream),
			shape('M0 470 L90 430 L90 380 H210 V430 L330 400 L470 460 V700 H0 Z', c.dusk),
			shape('M560 480 V350 H720 V420 H860 V330 H1010 V400 H1160 V700 H560 Z', c.dusk),
			rect(600, 384, 34, 40, c.saffron, 'opacity="0.5"'),
			// The house and its one lit window.
			rect(60, 340, 330, 366, c.slate),
			shape('M30 350 L224 234 L420 350 Z', c.maroon),
			rect(112, 404, 108, 116, c.umber),
			rect(120, 412, 92, 100, c.saffron),
			line('M166 412 V512 M120 462 H212', c.umber, 6),
			rect(262, 488, 94, 218, c.umber),
			rect(270, 496, 78, 210, c.saffron),
			at(309, 706, person(c.paper, { hair: c.haze }), { scale: 1.1 }),
			// The ration shop, shut.
			rect(700, 424, 400, 290, c.maroon),
			rect(680, 404, 440, 40, c.brick, 'rx="4"'),
			times(13, (slat) => rect(740, 470 + slat * 18, 320, 14, slat % 2 ? c.slate : c.haze)),
			rect(740, 700, 320, 14, c.night),
			// The street, and the light on it.
			rect(0, 704, 1160, 176, c.umber),
			shape('M0 880 V802 H1160 V880 Z', c.ink),
			shape('M520 716 L-20 650 V860 L520 760 Z', c.cream, 'opacity="0.9"'),
			// The gate stands open.
			rect(18, 560, 22, 200, c.maroon),
			disc(29, 554, 17, c.brick),
			rect(424, 560, 22, 170, c.maroon),
			disc(435, 554, 17, c.brick),
			shape('M40 590 L104 622 V800 L40 752 Z', 'none', `stroke="${c.ink}" stroke-width="8"`),
			times(3, (bar) => line(`M${56 + bar * 16} ${600 + bar * 8} V${762 + bar * 12}`, c.ink, 6)),
			// Salim's car.
			oval(770, 812, 290, 20, c.ink),
			shape(
				'M500 790 C484 730 510 690 600 682 C640 616 690 590 800 590 C900 590 940 628 966 676 C1030 690 1050 730 1046 790 Z',
				c.rust,
			),
			shape('M634 680 C662 632 700 614 762 612 V680 Z', c.cream),
			shape('M782 612 C866 610 900 636 922 676 L782 680 Z', c.haze),
			shape('M500 752 H1048 V790 H496 Z', c.brick),
			line('M772 684 V776', c.brick, 5),
			rect(792, 704, 36, 9, c.cream, 'rx="4"'),
			disc(522, 728, 23, c.paper),
			disc(522, 728, 13, c.saffron),
			rect(484, 770, 70, 13, c.haze, 'rx="6"'),
			rect(1000, 770, 60, 13, c.haze, 'rx="6"'),
			inside(
				'cabin',
				shape('M634 680 C662 632 700 614 762 612 V680 Z', c.cream),
				disc(716, 650, 23, c.skin) +
					shape('M692 648 C692 616 740 616 740 648 C728 634 706 636 692 648 Z', c.ink) +
					shape('M680 700 C684 672 752 672 756 700 Z', c.paper),
			),
			line('M668 682 L690 660', c.ink, 7),
			times(
				2,
				(wheel) =>
					disc(612 + wheel * 320, 790, 50, c.ink) +
					disc(612 + wheel * 320, 790, 26, c.haze) +
					disc(612 + wheel * 320, 790, 10, c.slate),
			),
		),

	'plate-third-bench': () =>
		plate(
			c.saffron,
			disc(250, 300, 172, c.cream),
			shape('M0 520 C180 470 300 500 460 486 C700 466 900 500 1160 470 V880 H0 Z', c.amber),
			rect(0, 650, 1160, 230, c.brick),
			shape('M0 720 C400 690 800 700 1160 724 V880 H0 Z', c.maroon),
			// A neem leans over it.
			line('M1050 700 C1040 540 1080 420 1040 250', c.umber, 34),
			disc(1010, 190, 132, c.leaf),
			disc(1130, 262, 118, c.pine),
			disc(910, 120, 84, c.pine),
			disc(1096, 90, 122, c.leaf),
			// The stall.
			rect(330, 300, 24, 420, c.umber),
			rect(846, 300, 24, 420, c.umber),
			rect(354, 330, 492, 370, c.maroon),
			rect(354, 330, 492, 190, c.umber),
			shape('M286 318 L352 210 H848 L914 318 Z', c.slate),
			times(15, (rib) => line(`M${303 + rib * 42.4} 316 L${362 + rib * 34} 213`, c.haze, 4)),
			rect(280, 314, 640, 16, c.night, 'rx="5"'),
			rect(380, 424, 300, 12, c.sand),
			times(2, (index) =>
				at(
					424 + index * 92,
					424,
					jar(
						c.cream,
						c.rust,
						times(3, (row) => oval(-11, -14 - row * 18, 21, 8, c.amber) + oval(13, -20 - row * 18, 20, 8, c.brick)),
					),
					{ scale: 0.72 },
				),
			),
			times(4, (glass) => shape(`M${566 + glass * 28} 390 h20 l-4 34 h-12 Z`, c.haze)),
			// The owner pours.
			at(640, 640, person(c.paper, { cap: c.rust }), { scale: 1.42 }),
			rect(310, 520, 580, 24, c.cream, 'rx="4"'),
			rect(330, 544, 540, 176, c.brick),
			times(9, (board) => line(`M${390 + board * 60} 552 V714`, c.maroon, 4)),
			at(470, 520, kettle(c.haze, c.paper, c.night), { scale: 0.72 }),
			line('M576 408 C598 384 566 366 588 338', c.paper, 7, 'opacity="0.7"'),
			shape('M556 484 h28 l-5 36 h-18 Z', c.amber),
			shape('M726 484 h28 l-5 36 h-18 Z', c.amber),
			// Three benches, and who sits there.
			bench(60, 740, 300),
			bench(440, 800, 300),
			bench(820, 740, 300),
			at(140, 744, sitter(c.night)),
			at(236, 744, sitter(c.leaf, c.rust)),
			at(560, 804, sitter(c.rust)),
			at(930, 744, sitter(c.dusk, c.cream)),
		),
};

function bucket(x, foot, fill) {
	return (
		shape(`M${x - 27} ${foot - 52} H${x + 27} L${x + 20} ${foot} H${x - 20} Z`, fill) +
		rect(x - 30, foot - 56, 60, 9, fill, 'rx="4"') +
		shape(`M${x - 20} ${foot - 46} h9 l3 40 h-7 Z`, c.paper, 'opacity="0.4"')
	);
}

/** Threads as they are seen through it: large, even, and in their colours. */
function lens(id, x) {
	const threads = times(10, (thread) =>
		rect(x - 126 + thread * 26, 70, 13, 290, [c.rust, c.maroon, c.saffron, c.night][thread % 4]),
	);
	const weft = times(11, (row) =>
		times(10, (thread) => ((row + thread) % 2 ? '' : rect(x - 128 + thread * 26, 92 + row * 24, 17, 10, c.page))),
	);
	return (
		inside(
			id,
			disc(x, 214, 122, c.cream),
			rect(x - 130, 84, 260, 260, c.cream) +
				threads +
				weft +
				shape(`M${x - 150} 190 L${x + 20} 40 H${x + 76} L${x - 150} 240 Z`, c.paper, 'opacity="0.45"'),
		) + disc(x, 214, 122, 'none', `stroke="${c.night}" stroke-width="17"`)
	);
}

function bench(x, y, width) {
	return (
		oval(x + width / 2, y + 70, width / 2 + 16, 9, c.umber) +
		rect(x + 26, y + 10, 18, 60, c.umber) +
		rect(x + width - 44, y + 10, 18, 60, c.umber) +
		rect(x, y, width, 20, c.sand, 'rx="5"')
	);
}
