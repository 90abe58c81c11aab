/** A text of the specification, and the screen that shows it. */
export interface SpecText {
	/** The exact text; `{name}` is a placeholder. */
	text: string;
	screen: string;
}

function texts(screen: string, ...list: string[]): SpecText[] {
	return list.map((text) => ({ text, screen }));
}

/** The texts of the specification's section 8, in order. */
export const specTexts: readonly SpecText[] = [
	...texts(
		'login',
		'Login failed. Please check your credentials.',
		'Your account has been deactivated. Contact admin.',
	),
	...texts('dashboard', 'Access denied: Your account is deactivated.'),
	...texts(
		'registration',
		'❌ Email already in use.',
		'❌ Password must be at least 6 characters.',
		'✅ User registered successfully.',
	),
	...texts('reset', 'Password reset email sent. Please check your inbox and spam folder.'),
	...texts('file manager', 'Failed to load folder'),
	...texts(
		'sharing',
		'Sharing failed',
		'Unshare failed',
		'Failed to load shared folders',
		'Error loading folder content',
		'Shared with {email}',
		'Folder and all inner folders/files unshared',
	),
	...texts('upload', 'Upload failed for {name}: {message}'),
	...texts('chat', 'Failed to send message or file.'),
	...texts(
		'delete user',
		'❌ Error loading users.',
		'❌ Failed: {error}',
		'❌ Server error.',
		'✅ User {id} deleted successfully.',
	),
	...texts(
		'credentials',
		'❌ Username and state not matched.',
		'❌ Something went wrong.',
		'❌ Failed to add.',
		'✅ Added successfully!',
	),
	...texts('purchase', 'Error submitting form. Please try again.', 'Purchase Complated Id Password sent on Email'),
	...texts(
		'orders',
		'Error fetching data!',
		'Order updated!',
		'Failed to update order!',
		'Order deleted!',
		'Failed to delete order!',
	),
	...texts('QR upload', 'QR Code uploaded!', 'Failed to upload QR Code!'),
	...texts('settings', 'Settings updated successfully!', 'Failed to save settings!'),
	...texts(
		'empty states',
		'No users found.',
		'This folder is empty.',
		'No files or folders match your search.',
		'No folders shared with you.',
		'No login history available.',
		'No orders found.',
	),
	...texts('unknown route', 'Page Not Found'),
];

/** The texts of the specification's sections 5 and 6 that built screens show. */
export const rulesTexts: readonly SpecText[] = [
	...texts('registration', '❌ Please select a role.'),
	...texts('credentials', '❌ Please fill all fields.'),
	...texts('file manager', 'Folder name required', 'Name exists', 'File {name} already exists'),
	...texts('file manager', 'Delete this file?', 'Delete folder and its content?'),
	...texts('sharing', 'Already shared with this user'),
	...texts('orders', 'Are you sure you want to delete this order?'),
	...texts('chat', 'Are you sure you want to delete all chat?'),
	...texts('protected routes', 'Your account is not active.'),
];

/** All specified texts of built screens. */
export const builtTexts: readonly string[] = [...specTexts, ...rulesTexts].map(({ text }) => text);

/** Whether a text shown to a user contains the specified text, with any values for its placeholders. */
export function containsSpecifiedText(text: string, shownText: string): boolean {
	if (!text.includes('{')) return shownText.includes(text);
	const pattern = text.split(/\{\w+\}/u).map((part) => part.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&'));
	return new RegExp(pattern.join('.+?'), 'u').test(shownText);
}
