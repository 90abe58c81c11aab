// Public interface of the mail feature.
export {
	findChatMailRecipient,
	findOrderMailRecipient,
	findOwnerLocale,
	findOwnerMailRecipient,
	getMailSettings,
} from './mail-settings.ts';
export { deleteMailsTo, deleteUnsentChatMails, deleteUnsentOrderMails } from './outbox/outbox.queries.ts';
export {
	deleteMailFile,
	enqueueMail,
	excerptForMail,
	sanitizeMailName,
} from './outbox/outbox.service.ts';
