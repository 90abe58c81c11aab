import { account } from './accounts/account.ts';
import { history, people } from './accounts/administration.ts';
import { removals } from './accounts/deletion.ts';
import { groups } from './accounts/groups.ts';
import { savedFilters } from './accounts/saved-filters.ts';
import { sessions, viewAs } from './accounts/sessions.ts';
import { twoFactor } from './accounts/two-factor.ts';
import { audit } from './audit/audit.ts';
import { bookSettings } from './book/book-settings.ts';
import { chapterMatching } from './book/chapter-matching.ts';
import { reading } from './book/reading.ts';
import { readingStats } from './book/reading-statistics.ts';
import { bookGrants, reader } from './book/shelf.ts';
import { bulkUserActions } from './bulk-actions/bulk-actions.ts';
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
import { testPurchase } from './orders/test-purchase.ts';
import { contactInfo, dashboardSettings } from './settings/site-settings.ts';
import { firstSteps } from './setup/first-steps.ts';
import { sharing } from './sharing/sharing.ts';
import { storefrontContent } from './storefront/content.ts';
import { visits } from './storefront/visits.ts';

/** All JSON endpoints of the product: the only source of wire types for server and browser. */
export const contract = {
	account,
	sessions,
	people,
	groups,
	bulkUserActions,
	savedFilters,
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
	storefrontContent,
	visits,
	chat,
	chatPerson,
	cannedReplies,
	testPurchase,
	firstSteps,
};
export type Contract = typeof contract;
