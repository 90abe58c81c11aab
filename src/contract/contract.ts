import { account } from './accounts/account.ts';
import { people } from './accounts/administration.ts';
import { removals } from './accounts/deletion.ts';
import { history } from './accounts/login-history.ts';
import { sessions, viewAs } from './accounts/sessions.ts';
import { twoFactor } from './accounts/two-factor.ts';
import { audit } from './audit/audit.ts';
import { bookGrants } from './book/book-access.ts';
import { bookSettings } from './book/book-settings.ts';
import { chapterMatching } from './book/chapter-matching.ts';
import { reading } from './book/reading.ts';
import { readingStats } from './book/reading-statistics.ts';
import { reader } from './book/shelf.ts';
import { cannedReplies } from './chat/canned-replies.ts';
import { chat } from './chat/chat.ts';
import { chatPerson } from './chat/member-card.ts';
import { course } from './course/course.ts';
import { credentials } from './credentials/credentials.ts';
import { files } from './files/files.ts';
import { spaces } from './files/spaces.ts';
import { uploads } from './files/uploads.ts';
import { mail, mailSettings } from './mail/mail.ts';
import { orders } from './orders/orders.ts';
import { contactInfo, dashboardSettings } from './settings/site-settings.ts';
import { sharing } from './sharing/sharing.ts';
import { storefrontSettings } from './storefront/storefront-settings.ts';
import { videoSettings } from './storefront/videos.ts';
import { visits } from './storefront/visits.ts';

/** All JSON endpoints of the product: the only source of wire types for server and browser. */
export const contract = {
	account,
	sessions,
	people,
	history,
	files,
	removals,
	spaces,
	uploads,
	orders,
	bookSettings,
	reader,
	reading,
	readingStats,
	outlinePairs: chapterMatching,
	bookGrants,
	mail,
	mailSettings,
	credentials,
	audit,
	twoFactor,
	viewAs,
	sharing,
	course,
	dashboardSettings,
	contactInfo,
	storefrontSettings,
	filmSettings: videoSettings,
	visits,
	chat,
	chatPerson,
	cannedReplies,
};
export type Contract = typeof contract;
