import { accountData } from './features/accounts/deletion/deletion.service.ts';
import { bookOwners } from './features/accounts/groups/groups.queries.ts';
import { createLoginLink, startPasswordLinkExpiry } from './features/accounts/passwords/password-links.ts';
import { totpSecretContext } from './features/accounts/two-factor/code-verification.ts';
import { verifierContext } from './features/accounts/users/imported-logins.ts';
import { findFirstAdmin } from './features/accounts/users/users.queries.ts';
import { findUserByEmail } from './features/accounts/users/users.service.ts';
import { hasBookAccess } from './features/book/access/access.queries.ts';
import { bookOrders } from './features/book/access/access.service.ts';
import {
	bankContext,
	upiContext as bookUpiContext,
	replaceEditionFile,
} from './features/book/content/content.service.ts';
import { validateReplacement } from './features/book/editions/edition-validation.ts';
import { bookSettingKey, isEditionContent } from './features/book/editions/editions.service.ts';
import { deleteCopiesOfUser } from './features/book/watermark/watermark.service.ts';
import { enqueueChatDeletion } from './features/chat/deletion/deletion.service.ts';
import {
	cancelChatMails,
	deleteMailsOfConversation,
} from './features/chat/mail-notifications/mail-notifications.service.ts';
import { sendLogin } from './features/chat/member-card/member-card.service.ts';
import { lookupSealContext } from './features/credentials/lookups.ts';
import { lookupKeyOf, recordSealContext } from './features/credentials/sealed-records.ts';
import { purgeSpace } from './features/files/trash/trash.jobs.ts';
import { fileAccess } from './features/files/tree/file-access.ts';
import { countFiles } from './features/files/tree/tree.queries.ts';
import { listUnfinishedUploadsOfUser } from './features/files/uploads/uploads.queries.ts';
import { deleteUploadBytes, discardUploadsToSpace, fileReplacement } from './features/files/uploads/uploads.service.ts';
import { mailAccounts } from './features/mail/mail-settings.ts';
import { mailSealContext } from './features/mail/outbox/outbox.service.ts';
import { tryWarnOfLowSpace } from './features/maintenance/disk-space-warnings/disk-space-warnings.service.ts';
import { lowSpaceWarning } from './features/orders/checkout/payment-proof-size.ts';
import {
	utrContext,
	utrLookupKey,
	utrLookupKeys,
} from './features/orders/duplicate-proofs/duplicate-proofs.service.ts';
import { comparableUtr } from './features/orders/order-warnings.ts';
import { upiContext } from './features/orders/orders.presenter.ts';
import { findFirstCompleteOrder, getOrderState } from './features/orders/orders.queries.ts';
import { deleteTestOrderOfUser } from './features/orders/test-purchase/test-purchase.service.ts';
import * as access from './features/sharing/access/access.service.ts';
import * as shares from './features/sharing/shares/shares.queries.ts';
import { getSiteIdentity } from './features/storefront/page-cache.ts';
import { sealedContent } from './platform/auth/sealed-columns.queries.ts';
import { siteIdentity } from './platform/site-identity.ts';
import { blobReferences } from './platform/storage/blobs.queries.ts';

/** Registers the functions of higher features that lower features call. Can be called again. */
export function registerFeatures(): void {
	blobReferences.register([
		['nodes', 'blob_id'],
		['thumbnails', 'thumb_blob_id'],
		['proofs', 'blob_id'],
		['proofs', 'thumb_blob_id'],
		['messages', 'blob_id'],
		['canned_reply_files', 'blob_id'],
		['watermarked_copies', 'blob_id'],
		['watermarked_copies', 'base_blob_id'],
		['copy_templates', 'blob_id'],
		['storefront_file_blobs', 'blob_id'],
	]);
	mailAccounts.register({ findFirstAdmin, startPasswordLinkExpiry, findUserByEmail, sendLogin, createLoginLink });
	sealedContent.register({
		columns: [
			{ table: 'users', key: 'id', column: 'totp_secret_sealed', context: totpSecretContext },
			{ table: 'imported_logins', key: 'email_key', column: 'verifier', context: verifierContext },
			{ table: 'outbox', key: 'id', column: 'payload_sealed', context: mailSealContext },
			{ table: 'orders', key: 'id', column: 'upi_id_sealed', context: upiContext },
			{ table: 'proofs', key: 'id', column: 'upi_id_sealed', context: upiContext },
			{
				table: 'proofs',
				key: 'id',
				column: 'utr_sealed',
				context: utrContext,
				fingerprint: {
					column: 'utr_key',
					of: (secrets, text) => utrLookupKey({ secrets }, comparableUtr(text)),
					copies: {
						table: 'used_references',
						column: 'utr_key',
						of: (secrets, text) => utrLookupKeys({ secrets }, text),
					},
				},
			},
			{
				table: 'credentials',
				key: 'id',
				column: 'record_sealed',
				context: recordSealContext,
				fingerprint: { column: 'lookup_key', of: (secrets, text) => lookupKeyOf({ secrets }, JSON.parse(text)) },
			},
			{ table: 'credential_lookups', key: 'id', column: 'asked_sealed', context: lookupSealContext },
		],
		settings: { [bookSettingKey]: { bankSealed: bankContext, upiSealed: bookUpiContext } },
	});
	accountData.register({
		chat: {
			cancelMails: cancelChatMails,
			deleteMails: deleteMailsOfConversation,
			enqueueDeletion: (deps, tx, userId) => enqueueChatDeletion(deps, tx, userId, null),
		},
		files: { count: countFiles, purgeSome: purgeSpace },
		uploads: {
			listUnfinished: listUnfinishedUploadsOfUser,
			deleteBytes: deleteUploadBytes,
			discardSomeToSpace: discardUploadsToSpace,
		},
		book: { deleteCopies: deleteCopiesOfUser },
		orders: { deleteTestOrder: deleteTestOrderOfUser },
	});
	fileAccess.register({ ...access, ...shares });
	bookOwners.register(hasBookAccess);
	access.protectedContent.register(isEditionContent);
	fileReplacement.register({ validate: validateReplacement, apply: replaceEditionFile });
	bookOrders.register({ getState: getOrderState, findFirstComplete: findFirstCompleteOrder });
	lowSpaceWarning.register(tryWarnOfLowSpace);
	siteIdentity.register(getSiteIdentity);
}
