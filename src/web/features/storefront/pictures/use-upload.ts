import { useState } from 'react';
import { describeFailure } from '#web/platform/api/failure.ts';
import { endSessionOnAuthFailure } from '#web/platform/api/query-client.ts';
import { uploadFile } from './upload-file.ts';

/** State of one upload. */
export function useUpload() {
	/** Part that was sent, 0 to 1; undefined while there is no upload. */
	const [progress, setProgress] = useState<number>();
	const [error, setError] = useState('');
	/** Resolves to undefined if the upload failed; `error` says why. */
	const upload = async <Answer>(url: string, file: File): Promise<Answer | undefined> => {
		setError('');
		setProgress(0);
		try {
			return await uploadFile<Answer>(url, file, setProgress);
		} catch (reason) {
			endSessionOnAuthFailure(reason);
			const { fields, message } = describeFailure(reason);
			setError(fields.file ?? message);
			return undefined;
		} finally {
			setProgress(undefined);
		}
	};
	return { progress, error, setError, upload };
}
