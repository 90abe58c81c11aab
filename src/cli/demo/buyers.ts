/** One submission of the purchase form. */
export interface SampleProof {
	daysAgo: number;
	/** Indian time of day. */
	time: string;
	/** File in `demo/pictures`. */
	picture: string;
	/** The payment's reference as it was typed: that of the picture. */
	utr?: string;
	/** Where it differs from the order. */
	phone?: string;
}

export interface Buyer {
	name: string;
	email: string;
	phone: string;
	upiId: string;
	proofs: [SampleProof, ...SampleProof[]];
	status: 'Pending' | 'Complete';
	/** Days before the newest day on which the buyer signed in. */
	signIns?: number[];
	locale?: 'en' | 'hi';
	/** What the owner says when asking for a new proof. */
	note?: string;
}

function buyer(
	name: string,
	mailbox: string,
	phone: string,
	upiName: string,
	proofs: Buyer['proofs'],
	more: Partial<Buyer> = {},
): Buyer {
	const base = { name, email: `${mailbox}@example.com`, phone, upiId: `${upiName}@examplebank` };
	return { ...base, proofs, status: 'Complete', ...more };
}

function sent(
	daysAgo: number,
	time: string,
	picture: string,
	more: Pick<SampleProof, 'utr' | 'phone'> = {},
): SampleProof {
	return { daysAgo, time, picture, ...more };
}

/** The orders of the last 30 days, newest first; each has its own screenshot, but one that repeats another buyer's. */
export const buyers: readonly Buyer[] = [
	// The wrong picture first; then the receipt, with another phone number.
	buyer(
		'Meera Nair',
		'meera.nair',
		'98230 55512',
		'meera.nair',
		[
			sent(0, '08:58', 'shop-front.jpg'),
			sent(0, '09:12', 'receipt-01-meera-nair.jpg', { utr: '532411870926', phone: '98230 55521' }),
		],
		{ status: 'Pending', signIns: [0] },
	),
	buyer(
		'Arjun Patil',
		'arjun.patil',
		'90110 45678',
		'arjunp',
		[sent(0, '08:47', 'receipt-02-arjun-patil.jpg', { utr: '532411846310' })],
		{
			status: 'Pending',
		},
	),
	// Accepted as the form takes everything, and flagged on the orders page.
	buyer('Kavita Rao', 'kavita.rao', '98 12', 'kavita.rao', [sent(0, '07:30', 'receipt-03-kavita-rao.png')], {
		upiId: 'kavita rao',
		status: 'Pending',
		note: 'The transaction number is cut off. Please send the whole receipt.',
	}),
	buyer(
		'Sunil Yadav',
		'sunil.y',
		'88790 12340',
		'sunily',
		[sent(1, '22:04', 'receipt-04-sunil-yadav.jpg', { utr: '532378121047' })],
		{
			signIns: [0],
		},
	),
	buyer(
		'Farah Sheikh',
		'farah.s',
		'97300 88112',
		'farah',
		[sent(1, '18:51', 'receipt-05-farah-sheikh.jpg', { utr: '532377904418' })],
		{
			signIns: [0],
		},
	),
	buyer('Deepak Joshi', 'd.joshi', '99210 30045', 'djoshi', [
		sent(1, '16:02', 'receipt-06-deepak-joshi.png'),
		sent(1, '17:20', 'receipt-06-deepak-joshi.png', { utr: '532377665290' }),
	]),
	buyer(
		'Ritu Agarwal',
		'ritu.a',
		'80870 66120',
		'ritu',
		[sent(1, '14:15', 'receipt-07-ritu-agarwal.jpg', { utr: '532377310873' })],
		{
			signIns: [1, 0],
		},
	),
	buyer(
		'Harpreet Gill',
		'h.gill',
		'98140 77203',
		'hgill',
		[sent(2, '21:33', 'receipt-08-harpreet-gill.jpg', { utr: '532291987736' })],
		{
			signIns: [1],
		},
	),
	buyer(
		'Lata Mishra',
		'lata.m',
		'94220 18876',
		'latam',
		[sent(2, '18:05', 'receipt-09-lata-mishra.png', { utr: '532291540021' })],
		{
			signIns: [1, 0],
		},
	),
	buyer(
		'Naveen Iyer',
		'naveen.i',
		'98400 52219',
		'naveen',
		[sent(2, '13:48', 'receipt-10-naveen-iyer.jpg', { utr: '5322 9118 8954' })],
		{
			status: 'Pending',
		},
	),
	buyer('Asha Verma', 'asha.verma', '98220 41190', 'asha.verma', [
		sent(3, '11:55', 'receipt-11-asha-verma.jpg', { utr: '532290477165' }),
	]),
	buyer(
		'Imran Qureshi',
		'imran.q',
		'99301 27745',
		'imranq',
		[sent(4, '20:18', 'receipt-12-imran-qureshi.jpg', { utr: '532189032681' })],
		{
			signIns: [3],
		},
	),
	buyer('Vikram Desai', 'vikram.d', '97690 33018', 'vikram.desai', [
		sent(5, '16:36', 'receipt-13-vikram-desai.jpg', { utr: '532188650147' }),
	]),
	buyer(
		'सीमा शर्मा',
		'seema.sharma',
		'+91 94150 20783',
		'seema.s',
		[sent(7, '10:21', 'receipt-14-seema-sharma.jpg', { utr: '5317 1021 4471' })],
		{
			locale: 'hi',
			signIns: [6, 4],
		},
	),
	buyer('Pooja Bhatt', 'pooja.b', '97120 64408', 'poojab', [
		sent(8, '19:42', 'receipt-15-pooja-bhatt.jpg', { utr: '531619380652' }),
	]),
	// Paid once, sent for two orders: the orders page names the other one.
	buyer(
		'Rahul Menon',
		'rahul.menon',
		'94470 81936',
		'rmenon',
		[sent(8, '12:05', 'receipt-16-gaurav-singh.jpg', { utr: '531421073345' })],
		{
			status: 'Pending',
		},
	),
	buyer('Gaurav Singh', 'gaurav.s', '98910 55027', 'gaurav', [
		sent(10, '21:10', 'receipt-16-gaurav-singh.jpg', { utr: '531421073345' }),
	]),
	buyer(
		'Anjali Deshmukh',
		'anjali.d',
		'98600 47215',
		'anjali.d',
		[sent(12, '09:33', 'receipt-17-anjali-deshmukh.jpg', { utr: 'UTR 531209301198' })],
		{
			signIns: [11, 9, 5],
		},
	),
	buyer('Tara Bose', 'tara.bose', '98300 19264', 'tara', [sent(14, '17:57', 'receipt-18-tara-bose.jpg')]),
	buyer('Suresh Reddy', 'suresh.r', '98490 73351', 'sreddy', [
		sent(16, '20:44', 'receipt-19-suresh-reddy.jpg', { utr: '530820410936' }),
	]),
	buyer(
		'Priya Nambiar',
		'priya.n',
		'94950 60087',
		'priyan',
		[sent(17, '08:16', 'receipt-20-priya-nambiar.jpg', { utr: '530708134780' })],
		{
			signIns: [16, 2],
		},
	),
	buyer('Neeraj Chauhan', 'neeraj.c', '98160 24409', 'neerajc', [
		sent(19, '13:29', 'receipt-21-neeraj-chauhan.jpg', { utr: '530513251563' }),
	]),
	buyer('Divya Pillai', 'divya.p', '+44 20 7946 0958', 'divyap', [sent(22, '18:40', 'receipt-22-divya-pillai.jpg')]),
	buyer('Kiran Shetty', 'kiran.shetty', '98450 91172', 'kshetty', [
		sent(25, '11:02', 'receipt-23-kiran-shetty.jpg', { utr: '529910587459' }),
	]),
	buyer('Mohan Das', 'mohan.das', '90040 38826', 'mohandas', [
		sent(29, '19:18', 'receipt-24-mohan-das.jpg', { utr: '529519148823' }),
	]),
];
