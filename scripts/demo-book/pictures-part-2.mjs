import {
	at,
	colour as c,
	clock,
	crescent,
	disc,
	head,
	inside,
	jar,
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

/** The pictures of Part 2 by name: one at the head of each chapter, under its slug, and two plates. */
export const picturesPart2 = {
	'the-first-customer': () =>
		head(
			c.brick,
			disc(330, 230, 190, c.rust),
			rect(0, 352, 1160, 78, c.umber),
			rect(0, 352, 1160, 12, c.saffron),
			// Chutney, and a lid that opens by itself.
			at(
				330,
				352,
				rect(-84, -214, 168, 214, c.cream, 'rx="26"') +
					shape(
						'M-70 -150 C-40 -164 -10 -138 20 -152 C44 -162 58 -150 70 -150 V-22 C70 -14 64 -12 58 -12 H-58 C-64 -12 -70 -14 -70 -22 Z',
						c.maroon,
					) +
					times(16, (seed) =>
						oval(((seed * 47) % 116) - 58, -128 + ((seed * 71) % 106), 5, 3.4, seed % 3 ? c.saffron : c.rust),
					) +
					rect(-56, -196, 17, 168, c.paper, 'rx="8" opacity="0.5"') +
					rect(-68, -224, 136, 14, c.sand, 'rx="5"'),
			),
			at(408, 106, rect(-80, -18, 160, 36, c.night, 'rx="8"') + rect(-80, -18, 160, 11, c.slate, 'rx="5"'), {
				turn: 24,
			}),
			line('M236 96 L222 72 M282 84 L276 56 M470 178 L496 172', c.cream, 6),
			// Groundnuts, garlic, a red chilli.
			at(116, 340, groundnut(c.sand), { turn: -14 }),
			at(182, 348, groundnut(c.amber), { turn: 22, scale: 0.85 }),
			at(
				500,
				344,
				shape('M-26 8 C-30 -18 -8 -30 0 -46 C8 -30 30 -18 26 8 Z', c.paper) +
					line('M0 -40 C-8 -20 -8 -8 -6 6 M0 -40 C8 -20 10 -8 10 6', c.sand, 3),
			),
			at(
				628,
				346,
				shape('M-40 0 C-20 -22 34 -20 62 -40 C54 0 6 22 -40 8 Z', c.rust) +
					line('M-38 3 C-50 2 -56 -6 -64 -6', c.leaf, 7),
			),
			// The wire over the till.
			line('M640 44 C800 66 980 66 1170 40', c.night, 5),
			times(4, (strip) => packetStrip(688 + strip * 116, 50 + [4, 9, 10, 5][strip], strip)),
		),

	'naming-the-price': () =>
		head(
			c.cream,
			rect(0, 0, 1160, 24, c.sand),
			// Five hooks on the opposite wall.
			rect(640, 84, 470, 22, c.brick, 'rx="4"'),
			times(5, (hook) =>
				line(
					`M${684 + hook * 96} 95 V130 C${684 + hook * 96} 152 ${712 + hook * 96} 152 ${712 + hook * 96} 132`,
					c.night,
					8,
				),
			),
			line('M983 142 V178', c.rust, 5),
			shape('M956 178 H1010 L1024 286 H942 Z', c.rust),
			rect(0, 356, 1160, 74, c.maroon),
			rect(0, 356, 1160, 12, c.brick),
			// The press.
			rect(120, 326, 400, 30, c.night, 'rx="5"'),
			rect(140, 92, 30, 240, c.night),
			rect(470, 92, 30, 240, c.night),
			shape('M120 104 C120 74 200 66 320 66 C440 66 520 74 520 104 Z', c.night),
			rect(306, 40, 28, 150, c.slate),
			times(9, (turn) => line(`M306 ${112 + turn * 9} L334 ${105 + turn * 9}`, c.night, 3)),
			rect(180, 24, 280, 18, c.night, 'rx="9"'),
			disc(180, 33, 20, c.saffron),
			disc(460, 33, 20, c.saffron),
			rect(176, 186, 288, 24, c.night, 'rx="4"'),
			book(196, 210, 250, 30, c.rust),
			book(206, 240, 240, 26, c.leaf),
			book(192, 266, 256, 32, c.dusk),
			book(202, 298, 238, 28, c.brick),
			// Loose pages, as they come in.
			at(
				640,
				356,
				times(11, (sheet) =>
					rect(
						-82 + ((sheet * 7) % 13),
						-8 - sheet * 7,
						150,
						6,
						sheet % 2 ? c.paper : c.haze,
						`transform="rotate(${((sheet * 5) % 7) - 3})"`,
					),
				),
			),
			at(
				840,
				356,
				rect(-60, -28, 150, 28, c.maroon, 'rx="2"') +
					rect(-60, -56, 140, 28, c.night, 'rx="2"') +
					rect(-60, -50, 12, 16, c.saffron) +
					rect(-60, -22, 12, 16, c.saffron),
			),
		),

	'a-second-pair-of-hands': () =>
		head(
			c.mint,
			rect(0, 0, 1160, 296, c.mint),
			times(9, (tile) => rect(tile * 130, 216, 128, 78, tile % 2 ? '#c4d8ca' : '#cbdcd0')),
			rect(0, 296, 1160, 134, c.leaf),
			rect(0, 296, 1160, 12, c.pine),
			at(104, 116, clock(58, c.paper, c.pine, 4, 0)),
			// The page over the grinder.
			at(
				250,
				44,
				rect(-72, 0, 144, 132, c.paper, 'rx="3"') +
					disc(0, 12, 6, c.rust) +
					times(5, (row) =>
						line(`M-52 ${38 + row * 18} H${[48, 30, 50, 22, 40][row]}`, row === 4 ? c.rust : c.slate, 4),
					),
				{ turn: -3 },
			),
			// The grinder.
			at(
				426,
				372,
				rect(-150, -60, 300, 66, c.rust, 'rx="10"') +
					rect(-110, 4, 30, 20, c.umber) +
					rect(80, 4, 30, 20, c.umber) +
					disc(112, -28, 11, c.cream) +
					shape('M-128 -60 L-138 -150 H138 L128 -60 Z', c.slate) +
					shape('M-118 -66 L-126 -142 H-84 L-80 -66 Z', c.haze) +
					oval(0, -150, 138, 24, c.haze) +
					oval(0, -148, 120, 18, c.paper) +
					shape('M-52 -146 L-20 -206 H20 L52 -146 C30 -134 -30 -134 -52 -146 Z', c.night) +
					rect(-8, -240, 16, 40, c.night),
			),
			// The rinsing bucket, and the drop that floats.
			at(
				790,
				396,
				shape('M-150 -150 H150 L118 0 H-118 Z', c.slate) +
					shape('M-134 -140 H-90 L-78 -10 H-110 Z', c.haze) +
					oval(0, -150, 150, 34, c.haze) +
					oval(0, -148, 134, 27, c.dusk) +
					oval(0, -144, 94, 18, 'none', `stroke="${c.slate}" stroke-width="4"`) +
					oval(0, -145, 56, 11, 'none', `stroke="${c.haze}" stroke-width="4"`) +
					oval(0, -148, 25, 7, c.paper) +
					line('M-150 -150 C-150 -300 150 -300 150 -150', c.night, 7),
			),
			shape('M790 138 C806 164 812 176 790 188 C768 176 774 164 790 138 Z', c.paper),
			// Two measures, a large and a small.
			at(
				1030,
				392,
				rect(-54, -118, 108, 118, c.haze, 'rx="5"') +
					rect(-54, -118, 28, 118, c.paper, 'rx="5"') +
					oval(0, -118, 54, 11, c.slate),
			),
			at(
				1108,
				404,
				rect(-36, -70, 72, 70, c.sand, 'rx="4"') +
					rect(-36, -70, 18, 70, c.cream, 'rx="4"') +
					oval(0, -70, 36, 8, c.amber),
			),
			shape('M24 396 C24 330 250 330 236 396 L228 412 H34 Z', c.sand),
			oval(130, 350, 84, 14, c.paper),
		),

	'the-promise-on-the-wall': () =>
		head(
			c.haze,
			rect(0, 0, 1160, 60, '#d5deee'),
			rect(0, 352, 1160, 78, c.dusk),
			rect(0, 352, 1160, 12, c.night),
			// A fan, nearly ready.
			at(
				220,
				352,
				rect(-84, -24, 168, 24, c.night, 'rx="10"') +
					rect(-11, -120, 22, 100, c.night) +
					disc(0, -186, 126, c.paper) +
					times(4, (blade) =>
						shape(
							'M0 -14 C50 -84 8 -114 -34 -104 C-52 -70 -34 -34 0 -14 Z',
							blade % 2 ? c.rust : c.brick,
							`transform="translate(0 -186) rotate(${blade * 90 + 12}) translate(0 8)"`,
						),
					) +
					times(16, (wire) =>
						line('M0 -26 V-122', c.slate, 2.5, `transform="translate(0 -186) rotate(${wire * 22.5})"`),
					) +
					disc(0, -186, 126, 'none', `stroke="${c.night}" stroke-width="9"`) +
					disc(0, -186, 84, 'none', `stroke="${c.slate}" stroke-width="3"`) +
					disc(0, -186, 26, c.saffron),
			),
			// The plank with four compartments, one for each day.
			rect(430, 162, 470, 16, c.umber),
			rect(430, 336, 470, 16, c.umber),
			times(5, (wall) => rect(430 + wall * 113.5, 162, 16, 190, c.umber)),
			times(4, (day) => rect(446 + day * 113.5, 178, 97.5, 158, [c.cream, c.sand, c.saffron, c.amber][day])),
			at(494, 336, smallFan(c.rust)),
			at(608, 336, mixer(c.paper, c.night)),
			at(722, 336, smallFan(c.night)),
			at(474, 336, rect(0, -8, 44, 8, c.umber)),
			// The nail and its slips.
			times(4, (slip) =>
				rect(
					972 + slip * 5,
					120 + slip * 9,
					112,
					76,
					slip % 2 ? c.page : c.paper,
					`rx="2" stroke="${c.slate}" stroke-width="1.5" transform="rotate(${[-9, 5, -3, 8][slip]} 1032 118)"`,
				),
			),
			line('M1000 172 C1014 164 1022 180 1036 171 M1000 192 H1058', c.slate, 4, 'transform="rotate(8 1032 118)"'),
			disc(1034, 132, 11, c.night),
			disc(1031, 129, 4, c.haze),
			at(
				1030,
				352,
				rect(-62, -50, 124, 50, c.rust, 'rx="3"') +
					rect(-62, -50, 124, 12, c.brick) +
					times(5, (part) => rect(-50 + part * 22, -66, 14, 18, c.night, 'rx="3"')),
			),
		),

	'borrowed-money': () =>
		head(
			c.sand,
			rect(0, 376, 1160, 54, c.brick),
			rect(0, 376, 1160, 10, c.maroon),
			// The staircase goes on over it.

			shape(
				`M0 230 ${times(9, (step) => `L${step * 64} ${230 - step * 36} V${194 - step * 36} `)} L576 -100 H0 Z`,
				c.maroon,
			),
			times(8, (step) => rect(step * 64, 192 - step * 36, 66, 9, c.rust)),
			// The machine, with light under its lid.
			at(
				250,
				376,
				rect(-150, -132, 300, 132, c.dusk, 'rx="8"') +
					rect(-150, -132, 300, 22, c.night, 'rx="6"') +
					rect(-120, -92, 150, 12, c.night) +
					rect(-120, -62, 150, 12, c.night) +
					rect(50, -94, 76, 30, c.slate, 'rx="4"') +
					disc(70, -79, 7, c.saffron) +
					disc(92, -79, 7, c.haze) +
					shape('M-138 -134 H138 L150 -142 H-150 Z', c.cream) +
					shape('M-148 -142 L-132 -190 H150 L156 -142 Z', c.night) +
					rect(150, -56, 86, 9, c.night) +
					times(7, (sheet) => rect(156 + ((sheet * 5) % 7), -62 - sheet * 6, 78, 5, sheet % 2 ? c.page : c.paper)),
			),
			at(
				86,
				376,
				times(18, (sheet) => rect(-44 + ((sheet * 5) % 9), -6 - sheet * 5, 78, 4.4, sheet % 3 ? c.paper : c.haze)),
			),
			// A queue that looks at its watch.
			times(6, (index) =>
				at(
					596 + index * 92,
					396,
					person([c.night, c.rust, c.paper, c.leaf, c.maroon, c.slate][index], {
						cap: index === 2 ? c.maroon : index === 5 ? c.paper : undefined,
						skin: index % 2 ? c.skin : '#a8643c',
					}) +
						rect(
							-40,
							-76,
							34,
							44,
							index === 2 ? c.haze : c.paper,
							`rx="2" transform="rotate(${[-8, 6, -4, 10, -6, 4][index]})"`,
						),
					{ scale: 1.28 },
				),
			),
			// June, kept by.
			rect(660, 58, 190, 104, c.page, 'rx="3"'),
			shape('M660 58 H850 L755 118 Z', c.paper, `stroke="${c.amber}" stroke-width="3"`),
			disc(755, 112, 13, c.rust),
			at(1010, 112, clock(46, c.paper, c.maroon, 10, 30)),
		),

	'the-shop-across-the-road': () =>
		head(
			c.leaf,
			rect(0, 0, 1160, 24, c.pine),
			rect(0, 372, 1160, 58, c.umber),
			// The mirror, between its two nails.
			rect(120, 40, 560, 272, c.maroon, 'rx="8"'),
			inside(
				'mirror',
				rect(138, 58, 524, 236, c.haze),
				rect(138, 58, 524, 130, c.cream) +
					rect(138, 214, 524, 80, c.slate) +
					line('M138 254 H662', c.cream, 5, 'stroke-dasharray="34 26"') +
					rect(250, 82, 300, 142, c.night) +
					rect(238, 74, 324, 22, c.rust) +
					rect(264, 106, 126, 112, c.cream) +
					rect(402, 106, 134, 112, c.cream) +
					line('M470 106 V218', c.night, 5) +
					times(
						2,
						(chair) =>
							shape(`M${282 + chair * 54} 218 v-34 c0 -24 40 -24 40 0 v34 Z`, c.rust) +
							disc(302 + chair * 54, 156, 13, chair ? c.night : c.umber),
					) +
					at(508, 220, person(c.saffron), { scale: 0.58 }) +
					at(604, 236, person(c.maroon), { scale: 0.62 }) +
					at(198, 238, person(c.paper, { cap: c.night }), { scale: 0.62 }) +
					shape('M138 58 H300 L138 226 Z', c.paper, 'opacity="0.3"'),
			),
			disc(96, 176, 10, c.haze),
			disc(704, 176, 10, c.haze),
			// The shelf with the trade's few tools.
			rect(96, 330, 608, 16, c.umber),
			at(176, 330, shape('M-18 0 V-60 L-8 -74 V-94 H8 V-74 L18 -60 V0 Z', c.rust) + rect(-9, -108, 26, 13, c.night)),
			at(
				246,
				330,
				rect(-16, -40, 32, 40, c.cream, 'rx="5"') +
					rect(-10, -72, 20, 34, c.saffron) +
					shape('M-14 -72 C-18 -108 18 -108 14 -72 Z', c.paper),
			),
			at(600, 330, rect(-26, -54, 52, 54, c.haze, 'rx="4"') + line('M-10 -50 L-22 -112 M6 -50 L16 -104', c.night, 7)),
			// Thirty towels.
			rect(908, 206, 220, 14, c.umber),
			times(8, (towel) =>
				rect(
					930 + (towel % 2) * 4,
					188 - towel * 19,
					170 - (towel % 3) * 5,
					17,
					[c.paper, c.paper, c.saffron, c.paper, c.haze, c.rust, c.paper, c.paper][towel],
					'rx="8"',
				),
			),
			// The chair.
			at(
				812,
				424,
				oval(0, 0, 86, 9, c.ink) +
					rect(-60, -14, 120, 14, c.haze, 'rx="7"') +
					rect(-16, -90, 32, 80, c.haze) +
					rect(-112, -116, 224, 36, c.brick, 'rx="14"') +
					shape('M-84 -112 V-226 C-84 -262 84 -262 84 -226 V-112 Z', c.rust) +
					shape('M-62 -122 V-214 C-62 -238 62 -238 62 -214 V-122 Z', c.brick) +
					rect(-9, -262, 18, 24, c.haze) +
					rect(-44, -300, 88, 44, c.rust, 'rx="14"') +
					rect(-126, -174, 30, 84, c.night, 'rx="10"') +
					rect(96, -174, 30, 84, c.night, 'rx="10"'),
			),
		),

	'the-bad-year': () =>
		head(
			c.night,
			// The shamiana from inside, mended.
			inside(
				'canopy',
				shape(
					'M0 0 H1160 V214 C1120 250 1060 250 1015 214 C970 250 915 250 870 214 C825 250 770 250 725 214 C680 250 625 250 580 214 C535 250 480 250 435 214 C390 250 335 250 290 214 C245 250 190 250 145 214 C100 250 40 250 0 214 Z',
					c.rust,
				),
				rect(0, 0, 1160, 260, c.rust) +
					times(17, (stripe) => shape(`M580 -250 L${-560 + stripe * 136} 300 H${-492 + stripe * 136} Z`, c.maroon)) +
					patches(),
			),
			rect(0, 366, 1160, 64, c.umber),
			shape('M0 366 H1160 V376 H0 Z', c.brick),
			// The sun comes through in coins.
			times(26, (coin) =>
				oval(60 + ((coin * 197) % 1060), 384 + ((coin * 31) % 40), 17, 6, coin % 3 ? c.saffron : c.cream),
			),
			times(9, (ray) =>
				shape(
					`M${150 + ray * 112} ${96 + ((ray * 37) % 80)} h18 l${-20 + ray * 7} 270 h-30 Z`,
					c.cream,
					'opacity="0.13"',
				),
			),
			// Keep the poles.
			times(4, (pole) => bamboo(146 + pole * 289)),
			// Four of them mend.
			shape('M462 412 C476 344 520 360 566 350 C620 338 676 352 706 372 C726 386 722 404 728 412 Z', c.rust),
			times(5, (fold) =>
				line(
					`M${500 + fold * 48} 408 C${504 + fold * 48} 390 ${520 + fold * 42} 376 ${524 + fold * 38} 364`,
					c.maroon,
					9,
				),
			),
			at(600, 376, rect(-15, -15, 30, 30, c.cream), { turn: 12 }),
			at(660, 390, rect(-12, -12, 24, 24, c.saffron), { turn: -9 }),
			times(4, (mender) =>
				at(
					[400, 505, 686, 786][mender],
					414,
					sitter(
						[c.saffron, c.paper, c.leaf, c.slate][mender],
						mender === 0 ? c.saffron : mender === 2 ? c.cream : c.ink,
					),
					{ scale: 0.92 },
				),
			),
		),

	'what-stays': () =>
		head(
			c.maroon,
			// What is heard upstairs.
			rect(0, 0, 1160, 58, c.umber),
			times(11, (board) => rect(board * 108, 44, 104, 16, c.brick)),
			times(5, (wave) =>
				line(
					`M${470 - wave * 66} ${238 - wave * 34} C${520 - wave * 30} ${190 - wave * 36} ${640 + wave * 30} ${190 - wave * 36} ${690 + wave * 66} ${238 - wave * 34}`,
					wave % 2 ? c.saffron : c.cream,
					7 - wave,
					`opacity="${1 - wave * 0.16}"`,
				),
			),
			rect(0, 382, 1160, 48, c.umber),
			// The harmonium.
			shape('M318 246 L844 246 L866 292 L296 292 Z', c.brick),
			times(6, (fold) =>
				shape(
					`M${322 + fold * 3} ${246 - fold * 11} H${840 - fold * 3} l-6 -11 H${328 + fold * 3} Z`,
					fold % 2 ? c.night : c.dusk,
					'',
				),
			),
			rect(290, 286, 582, 96, c.amber, 'rx="5"'),
			rect(290, 350, 582, 32, c.brick, 'rx="4"'),
			rect(314, 300, 534, 46, c.umber),
			times(21, (key) => rect(318 + key * 25.2, 300, 22.6, 44, c.paper, 'rx="2"')),
			times(20, (key) => ([2, 6].includes(key % 7) ? '' : rect(335 + key * 25.2, 300, 13, 27, c.night, 'rx="2"'))),
			times(6, (stop) => disc(352 + stop * 91, 366, 9, c.cream)),
			// The key, on its cord, by itself.
			disc(1010, 92, 9, c.haze),
			line('M1010 94 C962 150 960 196 1004 226 M1010 94 C1058 150 1060 196 1014 226', c.saffron, 5),
			disc(1009, 252, 28, 'none', `stroke="${c.cream}" stroke-width="13"`),
			rect(1002, 278, 14, 90, c.cream),
			rect(1016, 330, 26, 12, c.cream),
			rect(1016, 352, 18, 12, c.cream),
			// Reeds and a file.
			times(5, (reed) =>
				at(
					70 + reed * 40,
					382,
					rect(-12, -70 - reed * 12, 24, 70 + reed * 12, c.saffron, 'rx="3"') +
						rect(-4, -58 - reed * 12, 8, 50 + reed * 12, c.umber, 'rx="3"'),
				),
			),
		),

	'plate-the-hyderabad-road': () =>
		plate(
			c.night,
			shape('M0 0 H1160 V360 H0 Z', c.dusk),
			shape('M0 180 H1160 V400 H0 Z', '#4b3f5e'),
			shape('M0 300 H1160 V470 H0 Z', c.brick),
			shape('M0 386 H1160 V470 H0 Z', c.amber),
			disc(930, 420, 70, c.saffron),
			stars(22, 1160, 180, c.cream),
			shape('M0 450 C200 420 420 446 640 436 C860 424 1020 448 1160 436 V880 H0 Z', c.night),
			shape('M1160 738 H660 C580 738 600 836 500 880 H1160 Z', c.ink),
			line('M1120 822 H1060 M1000 822 H940 M880 824 H826 M776 832 L738 850', c.cream, 7),
			// The lorry.
			at(
				838,
				640,
				oval(150, 128, 250, 18, c.ink) +
					rect(-60, -150, 300, 250, c.maroon, 'rx="6"') +
					rect(-60, -150, 300, 34, c.saffron) +
					times(5, (panel) =>
						shape(`M${-40 + panel * 56} -60 l26 -34 l26 34 l-26 34 Z`, panel % 2 ? c.cream : c.rust),
					) +
					rect(-60, 18, 300, 14, c.leaf) +
					shape('M-172 100 V-30 L-146 -96 H-52 V100 Z', c.rust) +
					shape('M-156 -32 L-136 -82 H-66 V-32 Z', c.haze) +
					rect(-180, 66, 128, 34, c.brick) +
					rect(-180, 24, 96, 10, c.saffron) +
					disc(-150, 48, 19, c.paper) +
					shape('M-160 34 L-420 4 V150 L-160 62 Z', c.cream, 'opacity="0.28"') +
					times(
						3,
						(wheel) => disc([-104, 96, 186][wheel], 104, 42, c.ink) + disc([-104, 96, 186][wheel], 104, 20, c.slate),
					) +
					disc(-112, -54, 15, c.skin) +
					shape('M-128 -58 C-128 -82 -96 -82 -96 -58 Z', c.rust),
			),
			// The dhaba.
			shape('M0 372 L60 300 H560 L620 372 Z', c.umber),
			times(30, (straw) => line(`M${8 + straw * 20.6} 378 l${(straw % 3) * 5 - 5} 22`, c.sand, 5)),
			shape('M0 372 H616 L604 388 H0 Z', c.sand),
			rect(30, 388, 540, 352, c.brick),
			rect(30, 388, 540, 190, c.saffron),
			rect(540, 388, 30, 352, c.umber),
			line('M300 388 V420', c.umber, 5),
			disc(300, 436, 19, c.paper),
			disc(300, 436, 62, c.cream, 'opacity="0.35"'),
			line('M50 430 C180 462 400 462 540 430', c.umber, 4),
			times(9, (packet) =>
				packet === 4
					? ''
					: rect(
							74 + packet * 52,
							444 + [0, 6, 10, 12, 12, 12, 10, 6, 0][packet],
							34,
							58,
							[c.rust, c.paper, c.maroon][packet % 3],
							'rx="3"',
						) +
						disc(
							91 + packet * 52,
							470 + [0, 6, 10, 12, 12, 12, 10, 6, 0][packet],
							9,
							[c.cream, c.rust, c.saffron][packet % 3],
						),
			),
			at(180, 660, person(c.leaf, { cap: c.paper }), { scale: 1.3 }),
			at(420, 660, person(c.maroon), { scale: 1.3 }),
			rect(10, 578, 600, 28, c.cream, 'rx="4"'),
			rect(30, 606, 560, 150, c.maroon),
			times(8, (tile) => rect(40 + tile * 70, 622, 56, 118, tile % 2 ? c.brick : c.rust, 'rx="3"')),
			times(3, (index) =>
				at(286 + index * 50, 578, jar(c.cream, c.night, rect(-30, -74, 60, 66, c.maroon, 'rx="8"')), { scale: 0.6 }),
			),
			at(498, 578, rect(-36, -58, 76, 58, c.slate, 'rx="5"') + shape('M-30 -58 L-22 -78 H30 L36 -58 Z', c.haze)),
			// Rice, on a table by the road.
			oval(270, 850, 260, 20, c.ink),
			rect(90, 778, 360, 20, c.sand, 'rx="5"'),
			rect(112, 798, 18, 60, c.umber),
			rect(410, 798, 18, 60, c.umber),
			oval(220, 776, 74, 13, c.haze),
			shape('M168 772 C180 728 260 728 272 772 Z', c.paper),
			at(340, 778, jar(c.cream, c.night, rect(-30, -74, 60, 66, c.maroon, 'rx="8"')), { scale: 0.62 }),
		),

	'plate-through-the-floor': () =>
		plate(
			c.dusk,
			disc(196, 150, 62, c.cream),
			stars(26, 1160, 360, c.cream),
			shape('M0 560 L150 480 L250 530 L420 430 L700 560 L900 470 L1160 560 V880 H0 Z', c.night),
			rect(0, 796, 1160, 84, c.umber),
			// The house, opened like a cupboard.
			shape('M150 226 L580 60 L1010 226 Z', c.maroon),
			times(8, (tile) => line(`M${210 + tile * 106} ${214} L${370 + tile * 60} 146`, c.brick, 6)),
			rect(180, 222, 800, 580, c.umber),
			rect(206, 240, 748, 232, c.sand),
			rect(206, 504, 748, 292, c.saffron),
			rect(180, 472, 800, 32, c.brick),
			times(10, (board) => rect(184 + board * 80, 478, 74, 9, c.rust)),
			// Upstairs: a bed, a pad over one eye, a stick out of reach.
			rect(640, 274, 150, 110, c.umber),
			rect(650, 284, 130, 90, c.night),
			crescent(722, 326, 24, c.cream),
			line('M715 284 V374', c.umber, 6),
			rect(262, 418, 330, 18, c.maroon),
			rect(262, 356, 18, 116, c.maroon),
			rect(578, 388, 18, 84, c.maroon),
			rect(280, 396, 298, 24, c.paper, 'rx="8"'),
			rect(286, 372, 84, 28, c.haze, 'rx="12"'),
			shape('M360 400 C380 346 520 356 576 398 V420 H352 Z', c.rust),
			times(4, (stripe) => line(`M${410 + stripe * 42} ${368 + stripe * 5} L${404 + stripe * 44} 416`, c.cream, 6)),
			disc(340, 362, 28, c.skin),
			shape('M314 352 C308 330 350 322 364 344 C346 342 330 346 314 352 Z', c.paper),
			rect(336, 350, 25, 18, c.paper, 'rx="4" transform="rotate(14 348 358)"'),
			line('M314 350 L362 366', c.paper, 4),
			line('M900 466 L872 300 C868 276 900 272 902 296', c.umber, 9),
			rect(800, 430, 70, 42, c.brick),
			at(834, 430, rect(-22, -34, 44, 34, c.haze, 'rx="4"') + oval(0, -34, 22, 5, c.slate)),
			// The sound comes up through the boards.
			times(4, (wave) =>
				line(
					`M${500 - wave * 46} ${604 - wave * 50} C${530 - wave * 20} ${566 - wave * 52} ${610 + wave * 20} ${566 - wave * 52} ${640 + wave * 46} ${604 - wave * 50}`,
					c.paper,
					7 - wave,
					`opacity="${0.95 - wave * 0.18}"`,
				),
			),
			// Downstairs: the bench, two pairs of ears, and the telephone.
			at(420, 786, person(c.leaf, { hair: c.ink }), { scale: 1.26 }),
			at(724, 786, person(c.paper, { skin: '#a8643c' }), { scale: 1.3 }),
			rect(330, 700, 490, 20, c.maroon, 'rx="4"'),
			rect(350, 720, 20, 78, c.umber),
			rect(780, 720, 20, 78, c.umber),
			at(
				572,
				700,
				rect(-96, -56, 192, 56, c.brick, 'rx="4"') +
					rect(-86, -38, 172, 20, c.umber) +
					times(14, (key) => rect(-84 + key * 12.1, -38, 10.4, 19, c.paper)) +
					shape('M-88 -56 L-76 -92 H76 L88 -56 Z', c.night) +
					line('M-82 -68 H82 M-79 -80 H79', c.slate, 4),
			),
			times(4, (part) => rect(220 + part * 24, 640 - part * 12, 18, 156 + part * 12, part % 2 ? c.amber : c.brick)),
			rect(850, 690, 90, 14, c.maroon),
			rect(864, 704, 14, 94, c.umber),
			rect(912, 704, 14, 94, c.umber),
			at(
				895,
				690,
				shape('M-30 0 L-20 -28 H20 L30 0 Z', c.night) +
					disc(0, -13, 9, c.haze) +
					shape('M-38 -28 C-38 -48 38 -48 38 -28 H20 C18 -36 -18 -36 -20 -28 Z', c.night),
			),
			line('M938 640 l14 -12 M934 618 l10 -16 M852 640 l-14 -12 M856 618 l-10 -16', c.maroon, 5),
			shape('M1010 796 C1020 700 1040 700 1050 796 Z', c.pine),
			disc(1030, 690, 60, c.leaf),
			disc(1084, 730, 46, c.pine),
		),
};

function groundnut(fill) {
	return (
		shape('M-40 0 C-44 -26 -14 -30 0 -17 C14 -30 46 -24 42 2 C40 24 14 24 0 13 C-14 26 -38 22 -40 0 Z', fill) +
		line('M-26 -10 L-20 10 M-10 -12 L-6 10 M14 -12 L12 8 M28 -8 L26 8', c.maroon, 2.5, 'opacity="0.6"')
	);
}

function packetStrip(x, y, index) {
	const fills = [c.saffron, c.cream, c.maroon];
	const clip = rect(x - 7, y - 16, 14, 24, c.night, 'rx="3"');
	const packets = times(4, (row) => {
		const fill = fills[(row + index) % 3];
		const top = y + row * 66;
		return (
			rect(x - 38, top, 76, 62, fill, 'rx="3"') +
			rect(x - 38, top, 76, 9, c.paper, 'rx="2" opacity="0.55"') +
			shape(
				`M${x - 16} ${top + 42} C${x - 6} ${top + 28} ${x + 8} ${top + 30} ${x + 20} ${top + 20} C${x + 18} ${top + 44} ${x} ${top + 52} ${x - 16} ${top + 42} Z`,
				fill === c.maroon ? c.saffron : c.rust,
			)
		);
	});
	return packets + clip;
}

function book(x, y, width, height, fill) {
	return (
		rect(x, y, width, height, fill, 'rx="3"') +
		rect(x + 14, y + 5, 5, height - 10, c.saffron) +
		rect(x + 24, y + 5, 3, height - 10, c.saffron) +
		rect(x + width - 20, y + 4, 20, height - 8, c.page)
	);
}

function smallFan(fill) {
	return (
		rect(-24, -8, 48, 8, fill, 'rx="3"') +
		rect(-4, -44, 8, 40, fill) +
		disc(0, -78, 38, c.paper, `stroke="${fill}" stroke-width="6"`) +
		times(3, (blade) => oval(0, -19, 10, 17, fill, `transform="translate(0 -78) rotate(${blade * 120})"`)) +
		disc(0, -78, 7, c.saffron)
	);
}

function mixer(body, dark) {
	return (
		shape('M-32 0 L-24 -46 H24 L32 0 Z', body) +
		disc(0, -20, 8, dark) +
		shape('M-24 -50 L-32 -118 H32 L24 -50 Z', c.haze) +
		rect(-34, -128, 68, 11, dark, 'rx="4"') +
		line('M32 -106 C56 -104 52 -70 27 -66', dark, 6)
	);
}

function patches() {
	return times(30, (patch) => {
		const x = 30 + ((patch * 211) % 1100);
		const y = 14 + ((patch * 83) % 176);
		const size = 20 + ((patch * 13) % 22);
		const fill = [c.saffron, c.cream, c.amber][patch % 3];
		return at(
			x,
			y,
			rect(-size / 2, -size / 2, size, size, fill) +
				rect(
					-size / 2 + 4,
					-size / 2 + 4,
					size - 8,
					size - 8,
					'none',
					`stroke="${c.maroon}" stroke-width="2" stroke-dasharray="4 4"`,
				),
			{ turn: (patch * 29) % 40 },
		);
	});
}

function bamboo(x) {
	return (
		rect(x - 11, 190, 22, 216, c.amber) +
		rect(x - 11, 190, 7, 216, c.sand) +
		times(5, (knot) => rect(x - 14, 222 + knot * 40, 28, 7, c.brick, 'rx="3"'))
	);
}
