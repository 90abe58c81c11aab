import { useState } from 'react';
import { m } from '#messages';
import { Dialog } from '#web/ui/dialog.tsx';
import { AddCredentialsForm } from './credentials-add-form.tsx';

/** The Add Credentials form over the list; it stays open for the next record. Mount it to open it. */
export function AddCredentialsDialog({ onClose }: { onClose: () => void }) {
	const [isTyped, setTyped] = useState(false);
	return (
		<Dialog isOpen onClose={onClose} title={m.credentials_add()} isTyped={isTyped}>
			<AddCredentialsForm isFirstFocused onTyped={setTyped} onLeave={onClose} />
		</Dialog>
	);
}
