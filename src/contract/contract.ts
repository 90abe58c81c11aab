import { account } from './account/account.ts';
import { audit } from './audit/audit.ts';
import { cannedReplies } from './chat/canned-replies.ts';
import { chat } from './chat/chat.ts';
import { chatPerson } from './chat/chat-person.ts';
import { course } from './course/course.ts';
import { credentials } from './credentials/credentials.ts';
import { files } from './files/files.ts';
import { spaces } from './files/spaces.ts';
import { uploads } from './files/uploads.ts';
import { history } from './history/history.ts';
import { mail } from './mail/mail.ts';
import { orders } from './orders/orders.ts';
import { people } from './people/people.ts';
import { bookGrants } from './reader/book-access.ts';
import { outlinePairs } from './reader/outline-pairs.ts';
import { reader } from './reader/reader.ts';
import { reading } from './reader/reading.ts';
import { readingStats } from './reader/reading-stats.ts';
import { removals } from './removal/removal.ts';
import { sessions } from './sessions/sessions.ts';
import { bookSettings } from './settings/book-settings.ts';
import { contactInfo } from './settings/contact-info.ts';
import { dashboardSettings } from './settings/dashboard-settings.ts';
import { mailSettings } from './settings/mail-settings.ts';
import { sharing } from './sharing/sharing.ts';
import { filmSettings } from './storefront/films.ts';
import { storefrontSettings } from './storefront/storefront-settings.ts';
import { twoFactor } from './two-factor/two-factor.ts';
import { viewAs } from './view-as/view-as.ts';
import { visits } from './visits/visits.ts';

/** Every JSON call of the product: the only source of wire types for both sides. */
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
	outlinePairs,
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
	filmSettings,
	visits,
	chat,
	chatPerson,
	cannedReplies,
};
export type Contract = typeof contract;
