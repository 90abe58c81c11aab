// What other features may do with mails.
export {
	findChatMailRecipient,
	findOrderMailRecipient,
	findOwnerLocale,
	findOwnerMailRecipient,
	getMailSettings,
} from './mail-settings.ts';
export {
	deleteMailFile,
	enqueueMail,
	excerptForMail,
	forgetMailsTo,
	forgetUnsentChatMails,
	forgetUnsentMails,
	sanitizeMailName,
} from './outbox/outbox.service.ts';
