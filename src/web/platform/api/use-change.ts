import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { toastError } from '../browser/toasts.ts';
import { describeFailure, type Failure, readFailedCall } from './failure.ts';

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

/** Posts a file as the field `file` of a form. @throws FailedCall */
export async function postFile<Answer>(path: string, file: File): Promise<Answer> {
	const body = new FormData();
	body.append('file', file);
	const response = await fetch(path, { method: 'POST', body, headers: { Accept: 'application/json' } });
	if (!response.ok) throw await readFailedCall(response);
	return response.json();
}
