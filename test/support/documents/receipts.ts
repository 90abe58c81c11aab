import sharp from 'sharp';

export type Receipt = ReturnType<typeof makeReceipts>[number];

const [width, height] = [720, 1560];
const firstNames =
	'Aarav Aditi Akash Anjali Arjun Asha Bhavna Deepak Divya Farah Gaurav Harpreet Imran Ishita Kavita Kiran Lata Manish Meera Mohan Naveen Neha Pooja Prakash Rahul Rekha Ritu Rohan Sanjay Savita Shreya Sunil Tanvi Uma Varun Vikram'.split(
		' ',
	);
const lastNames =
	'Agarwal Bose Chauhan Das Desai Fernandes Ghosh Gill Gupta Iyer Joshi Kapoor Kulkarni Mishra Nair Patil Qureshi Rao Reddy Shah Sharma Sheikh Singh Verma Yadav'.split(
		' ',
	);

/** Creates different receipts, which are the same in every run. */
export function makeReceipts(count: number) {
	const random = mulberry32(count);
	const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] as string;
	const start = Date.parse('2026-10-01T02:30:00Z');
	return Array.from({ length: count }, () => {
		const [first, last] = [pick(firstNames), pick(lastNames)];
		return {
			name: `${first} ${last}`,
			upiId: `${first.toLowerCase()}${Math.floor(random() * 1000)}@examplebank`,
			amount: pick(['499', '499', '499', '499', '349.50', '549']),
			paidAt: new Date(start + Math.floor(random() * 50 * 24 * 60) * 60_000),
			utr: String(Math.floor(random() * 1e12)).padStart(12, '5'),
		};
	});
}

/** Success screens in the style of payment apps, as SVG. All apps, banks and names are invented. */
export const receiptLayouts = {
	/** A green header with the amount, and the details in cards below. */
	cards: (receipt: Receipt) => `
		<rect width="720" height="1560" fill="#f3f4f7"/>
		<rect width="720" height="560" fill="#0b7a4b"/>
		${statusBar(receipt, '#fff')}
		<circle cx="360" cy="190" r="62" fill="#fff"/>
		<path d="M330 192l22 22 42-46" fill="none" stroke="#0b7a4b" stroke-width="11" stroke-linecap="round"/>
		${line(360, 320, 30, 'Payment successful', { fill: '#dff5ea', anchor: 'middle' })}
		${line(360, 420, 84, `₹${receipt.amount}`, { fill: '#fff', weight: 700, anchor: 'middle' })}
		${line(360, 490, 26, momentOf(receipt), { fill: '#bfe6d3', anchor: 'middle' })}
		<rect x="32" y="520" width="656" height="230" rx="24" fill="#fff"/>
		<circle cx="100" cy="600" r="36" fill="#e6f2ec"/>
		${line(100, 612, 32, 'B', { fill: '#0b7a4b', weight: 700, anchor: 'middle' })}
		${line(160, 590, 24, 'Paid to', { fill: '#70747c' })}
		${line(160, 628, 32, 'Build Books', { weight: 600 })}
		${line(68, 710, 26, 'books@examplebank', { fill: '#70747c' })}
		<rect x="32" y="776" width="656" height="216" rx="24" fill="#fff"/>
		${line(68, 836, 24, 'From', { fill: '#70747c' })}
		${line(68, 880, 32, receipt.name, { weight: 600 })}
		${line(68, 940, 26, receipt.upiId, { fill: '#70747c' })}
		<rect x="32" y="1018" width="656" height="250" rx="24" fill="#fff"/>
		${line(68, 1078, 24, 'UPI transaction ID', { fill: '#70747c' })}
		${line(68, 1120, 32, receipt.utr)}
		${line(68, 1188, 24, 'Debited from', { fill: '#70747c' })}
		${line(68, 1230, 28, 'Example Bank •••• 4821')}
		<rect x="32" y="1330" width="316" height="92" rx="46" fill="#fff" stroke="#0b7a4b" stroke-width="2"/>
		${line(190, 1386, 28, 'Share', { fill: '#0b7a4b', weight: 600, anchor: 'middle' })}
		<rect x="372" y="1330" width="316" height="92" rx="46" fill="#0b7a4b"/>
		${line(530, 1386, 28, 'Done', { fill: '#fff', weight: 600, anchor: 'middle' })}
		${line(360, 1500, 22, 'Powered by UPI', { fill: '#9aa0a8', anchor: 'middle' })}`,
	/** A white, centred layout with a list of small lines; most of the screen is empty. */
	list: (receipt: Receipt) => `
		<rect width="720" height="1560" fill="#fff"/>
		${statusBar(receipt, '#1d1d1f')}
		<path d="M44 118l28 28M72 118l-28 28" stroke="#1d1d1f" stroke-width="4"/>
		<circle cx="360" cy="250" r="54" fill="#7a4fd0"/>
		${line(360, 270, 52, 'B', { fill: '#fff', anchor: 'middle' })}
		${line(360, 352, 30, 'To Build Books', { anchor: 'middle' })}
		${line(360, 396, 24, 'books@examplebank', { fill: '#5f6368', anchor: 'middle' })}
		${line(360, 510, 92, `₹${receipt.amount}`, { anchor: 'middle' })}
		<circle cx="268" cy="572" r="13" fill="#1e8e3e"/>
		${line(290, 582, 26, 'Completed')}
		${line(360, 640, 24, momentOf(receipt), { fill: '#5f6368', anchor: 'middle' })}
		<rect x="40" y="690" width="640" height="560" rx="20" fill="none" stroke="#dadce0" stroke-width="2"/>
		${line(72, 756, 28, 'Example Bank 4821', { weight: 600 })}
		<path d="M40 796h640" stroke="#dadce0" stroke-width="2"/>
		${line(72, 856, 24, 'UPI transaction ID', { weight: 600 })}
		${line(72, 894, 24, receipt.utr, { fill: '#5f6368' })}
		${line(72, 960, 24, 'To: BUILD BOOKS', { weight: 600 })}
		${line(72, 998, 24, 'Example Pay • books@examplebank', { fill: '#5f6368' })}
		${line(72, 1064, 24, `From: ${receipt.name.toUpperCase()} (Example Bank)`, { weight: 600 })}
		${line(72, 1102, 24, `Example Pay • ${receipt.upiId}`, { fill: '#5f6368' })}
		${line(72, 1168, 24, 'App transaction ID', { weight: 600 })}
		${line(72, 1206, 24, `CICA${receipt.utr.slice(0, 8)}`, { fill: '#5f6368' })}
		${line(360, 1340, 22, 'Payments may take up to three working days.', { fill: '#5f6368', anchor: 'middle' })}
		${line(360, 1490, 24, 'POWERED BY UPI', { fill: '#9aa0a8', anchor: 'middle' })}`,
} satisfies Record<string, (receipt: Receipt) => string>;

export function drawReceipt(layout: keyof typeof receiptLayouts, receipt: Receipt): Promise<Buffer> {
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${receiptLayouts[layout](receipt)}</svg>`;
	return sharp(Buffer.from(svg)).png({ compressionLevel: 1 }).toBuffer();
}

function line(
	x: number,
	y: number,
	size: number,
	text: string,
	{ fill = '#1d1d1f', weight = 400, anchor = 'start' } = {},
): string {
	return `<text x="${x}" y="${y}" font-family="sans-serif" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}">${text}</text>`;
}

/** Draws the phone's status bar, with a time one minute after the payment. */
function statusBar({ paidAt, utr }: Receipt, fill: string): string {
	const now = new Date(paidAt.getTime() + 60_000);
	return line(32, 52, 24, clockOf(now), { fill }) + line(590, 52, 24, `5G ${20 + (Number(utr) % 80)}%`, { fill });
}

function momentOf({ paidAt }: Receipt): string {
	const day = paidAt.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
	return `${day}, ${clockOf(paidAt)}`;
}

function clockOf(at: Date): string {
	return at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
}

/** Returns a seeded generator of random numbers from 0 to 1 (mulberry32, Tommy Ettinger, public domain). */
function mulberry32(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
