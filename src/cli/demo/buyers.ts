import { parse } from 'csv-parse/sync';

/** One submission of the purchase form. */
export interface SampleProof {
	daysAgo: number;
	/** Indian time of day. */
	time: string;
	phone: string;
	/** File in `demo/pictures`. */
	picture: string;
	/** The payment reference that the buyer typed, which is the one in the picture; '' if none. */
	utr: string;
}

export interface Buyer {
	name: string;
	email: string;
	upiId: string;
	proofs: SampleProof[];
	status: 'Pending' | 'Complete';
	/** Days on which the buyer signed in, counted back from the newest day; empty if the buyer never chose a password. */
	signIns: number[];
	locale: 'en' | 'hi';
	/** The owner's note when a new proof is requested; '' if none is. */
	note: string;
}

/**
 * The orders of the last 30 days, newest first, with a row for each submission; the first row of an order has its status
 * and note. Meera Nair first sends a wrong picture, then the receipt with another phone number. The form accepts Kavita
 * Rao's invalid phone number and UPI ID, and the orders page flags them. Rahul Menon sends another buyer's picture.
 */
const table = `
daysAgo;time;name;mailbox;phone;upiId;picture;utr;status;signIns;locale;note
0;08:58;Meera Nair;meera.nair;98230 55512;meera.nair@examplebank;shop-front.jpg;;Pending;0
0;09:12;Meera Nair;meera.nair;98230 55521;meera.nair@examplebank;receipt-01-meera-nair.jpg;532411870926
0;08:47;Arjun Patil;arjun.patil;90110 45678;arjunp@examplebank;receipt-02-arjun-patil.jpg;532411846310;Pending
0;07:30;Kavita Rao;kavita.rao;98 12;kavita rao;receipt-03-kavita-rao.png;;Pending;;;The transaction number is cut off. Please send the whole receipt.
1;22:04;Sunil Yadav;sunil.y;88790 12340;sunily@examplebank;receipt-04-sunil-yadav.jpg;532378121047;;0
1;18:51;Farah Sheikh;farah.s;97300 88112;farah@examplebank;receipt-05-farah-sheikh.jpg;532377904418;;0
1;16:02;Deepak Joshi;d.joshi;99210 30045;djoshi@examplebank;receipt-06-deepak-joshi.png
1;17:20;Deepak Joshi;d.joshi;99210 30045;djoshi@examplebank;receipt-06-deepak-joshi.png;532377665290
1;14:15;Ritu Agarwal;ritu.a;80870 66120;ritu@examplebank;receipt-07-ritu-agarwal.jpg;532377310873;;1 0
2;21:33;Harpreet Gill;h.gill;98140 77203;hgill@examplebank;receipt-08-harpreet-gill.jpg;532291987736;;1
2;18:05;Lata Mishra;lata.m;94220 18876;latam@examplebank;receipt-09-lata-mishra.png;532291540021;;1 0
2;13:48;Naveen Iyer;naveen.i;98400 52219;naveen@examplebank;receipt-10-naveen-iyer.jpg;5322 9118 8954;Pending
3;11:55;Asha Verma;asha.verma;98220 41190;asha.verma@examplebank;receipt-11-asha-verma.jpg;532290477165
4;20:18;Imran Qureshi;imran.q;99301 27745;imranq@examplebank;receipt-12-imran-qureshi.jpg;532189032681;;3
5;16:36;Vikram Desai;vikram.d;97690 33018;vikram.desai@examplebank;receipt-13-vikram-desai.jpg;532188650147
7;10:21;सीमा शर्मा;seema.sharma;+91 94150 20783;seema.s@examplebank;receipt-14-seema-sharma.jpg;5317 1021 4471;;6 4;hi
8;19:42;Pooja Bhatt;pooja.b;97120 64408;poojab@examplebank;receipt-15-pooja-bhatt.jpg;531619380652
8;12:05;Rahul Menon;rahul.menon;94470 81936;rmenon@examplebank;receipt-16-gaurav-singh.jpg;531421073345;Pending
10;21:10;Gaurav Singh;gaurav.s;98910 55027;gaurav@examplebank;receipt-16-gaurav-singh.jpg;531421073345
12;09:33;Anjali Deshmukh;anjali.d;98600 47215;anjali.d@examplebank;receipt-17-anjali-deshmukh.jpg;UTR 531209301198;;11 9 5
14;17:57;Tara Bose;tara.bose;98300 19264;tara@examplebank;receipt-18-tara-bose.jpg
16;20:44;Suresh Reddy;suresh.r;98490 73351;sreddy@examplebank;receipt-19-suresh-reddy.jpg;530820410936
17;08:16;Priya Nambiar;priya.n;94950 60087;priyan@examplebank;receipt-20-priya-nambiar.jpg;530708134780;;16 2
19;13:29;Neeraj Chauhan;neeraj.c;98160 24409;neerajc@examplebank;receipt-21-neeraj-chauhan.jpg;530513251563
22;18:40;Divya Pillai;divya.p;+44 20 7946 0958;divyap@examplebank;receipt-22-divya-pillai.jpg
25;11:02;Kiran Shetty;kiran.shetty;98450 91172;kshetty@examplebank;receipt-23-kiran-shetty.jpg;529910587459
29;19:18;Mohan Das;mohan.das;90040 38826;mohandas@examplebank;receipt-24-mohan-das.jpg;529519148823
`;

const format = { columns: true, delimiter: ';', relax_column_count: true, skip_empty_lines: true } as const;
const rows = parse<Record<string, string>>(table, format);

export const buyers: readonly Buyer[] = [...Map.groupBy(rows, ({ mailbox }) => mailbox).values()].map(
	(submissions): Buyer => {
		const [{ name = '', mailbox, upiId = '', status, signIns = '', locale, note = '' } = {}] = submissions;
		return {
			name,
			email: `${mailbox}@example.com`,
			upiId,
			proofs: submissions.map(({ daysAgo, time = '', phone = '', picture = '', utr = '' }) => {
				return { daysAgo: Number(daysAgo), time, phone, picture, utr };
			}),
			status: status === 'Pending' ? 'Pending' : 'Complete',
			signIns: signIns.split(' ').filter(Boolean).map(Number),
			locale: locale === 'hi' ? 'hi' : 'en',
			note,
		};
	},
);
