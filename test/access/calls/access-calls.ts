import type { AccessCalls } from './access-call.ts';
import { adminCalls } from './admin-calls.ts';
import { cannedReplyCalls } from './canned-reply-calls.ts';
import { chatCalls } from './chat-calls.ts';
import { credentialCalls } from './credential-calls.ts';
import { fileCalls } from './file-calls.ts';
import { groupCalls } from './group-calls.ts';
import { memberCalls } from './member-calls.ts';
import { orderPageCalls } from './order-page-calls.ts';
import { publicCalls } from './public-calls.ts';
import { readingCalls } from './reading-calls.ts';
import { sessionCalls } from './session-calls.ts';
import { sharingCalls } from './sharing-calls.ts';
import { twoFactorCalls } from './two-factor-calls.ts';
import { uploadAndFolderCalls } from './upload-and-folder-calls.ts';
import { visitCalls } from './visit-calls.ts';

export const accessCalls: AccessCalls = {
	...publicCalls,
	...orderPageCalls,
	...memberCalls,
	...readingCalls,
	...sessionCalls,
	...uploadAndFolderCalls,
	...fileCalls,
	...sharingCalls,
	...adminCalls,
	...groupCalls,
	...credentialCalls,
	...twoFactorCalls,
	...visitCalls,
	...chatCalls,
	...cannedReplyCalls,
};
