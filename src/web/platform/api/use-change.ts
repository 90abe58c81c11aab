import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toastError } from '../browser/toasts.ts';
import { describeFailure, type Failure, readFailedCall } from './failure.ts';
import { endSessionOnAuthFailure } from './query-client.ts';

interface ChangeOptions<Input, Output> {
	/** Refetched after success and failure, because outdated data may have caused the failure. */
	refetch?: readonly QueryKey[];
	isPendingUntilRefetched?: boolean;
	onSuccess?: (output: Output, input: Input) => void;
	/** By default, a toast shows the message. */
	onError?: (failure: Failure) => void;
}

/** `onError` for forms that show the error themselves, so that no toast is shown. */
export const shownInForm = () => {};

/** Returns a mutation. `failure`: error of the last attempt. */
export function useChange<Input, Output>(
	call: (input: Input) => Promise<Output>,
	{ refetch = [], isPendingUntilRefetched = false, onSuccess, onError = toastFailure }: ChangeOptions<Input, Output>,
) {
	const queryClient = useQueryClient();
	const mutation = useMutation({
		mutationFn: (input: Input) => call(input),
		onSuccess: (output, input) => onSuccess?.(output, input),
		onError: (error) => onError(describeFailure(error)),
		onSettled: () => {
			const refetched = Promise.all(refetch.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
			return isPendingUntilRefetched ? refetched : undefined;
		},
	});
	return { ...mutation, failure: mutation.error === null ? undefined : describeFailure(mutation.error) };
}

function toastFailure({ message }: Failure): void {
	toastError(message);
}

interface PostOptions {
	/** Receives the fraction that was sent, from 0 to 1. */
	onProgress?: (fraction: number) => void;
	signal?: AbortSignal;
}

/** Posts a file as the field `file` of a form. @throws FailedCall */
export function postFile<Answer>(path: string, file: File, { onProgress, signal }: PostOptions = {}): Promise<Answer> {
	return new Promise((resolve, reject) => {
		// fetch does not report upload progress.
		const request = new XMLHttpRequest();
		request.open('POST', path);
		request.responseType = 'json';
		request.setRequestHeader('Accept', 'application/json');
		request.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total);
		request.onloadend = () => {
			const { status, response } = request;
			if (status >= 200 && status < 300 && response !== null) resolve(response);
			else reject(readFailedCall(status, response));
		};
		signal?.addEventListener('abort', () => request.abort(), { once: true });
		const form = new FormData();
		form.append('file', file, file.name);
		request.send(form);
	});
}

/** State of one upload. */
export function useUpload() {
	/** Fraction that was sent, from 0 to 1; undefined while there is no upload. */
	const [progress, setProgress] = useState<number>();
	const [error, setError] = useState('');
	/** Resolves to undefined if the upload failed; `error` says why. */
	const upload = async <Answer>(url: string, file: File): Promise<Answer | undefined> => {
		setError('');
		setProgress(0);
		try {
			return await postFile<Answer>(url, file, { onProgress: setProgress });
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
