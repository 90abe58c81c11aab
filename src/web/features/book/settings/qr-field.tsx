import { Group, Stack } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { type QrAnswer, qrUploadPath } from '#contract/book/book-settings.ts';
import { m } from '#messages';
import { postFile, useChange } from '#web/platform/api/use-change.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { FieldGroup } from '#web/ui/forms/field.tsx';
import { FileButton, InputError } from '#web/ui/primitives/file-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from './book-settings-dialog.module.css';

interface QrFieldProps {
	initialUrl: string | null;
	/** Whether a UPI ID is entered. Once it is saved, buyers see a generated QR code instead of this image. */
	hasUpiId: boolean;
	onUploaded: () => void;
}

/** Any file can be uploaded, but only images are shown. An upload takes effect without saving the form. */
export function QrField({ initialUrl, hasUpiId, onUploaded }: QrFieldProps) {
	const upload = useChange((file: File) => postFile<QrAnswer>(qrUploadPath, file), {
		onSuccess: () => toastSuccess(m.orders_qr_uploaded()),
		onError: () => toastError(m.error_qr_upload()),
	});
	const [url, setUrl] = useState(initialUrl);
	const [isNotAnImage, setNotAnImage] = useState(false);

	const send = (file: File) => {
		upload.mutate(file, {
			onSuccess: ({ qrCodeUrl }) => {
				setUrl(qrCodeUrl);
				setNotAnImage(qrCodeUrl === null);
				onUploaded();
			},
		});
	};

	return (
		<FieldGroup legend={m.orders_qr()}>
			<Group gap={16}>
				<div className={classes.picture}>
					{url === null ? (
						m.orders_qr_none()
					) : (
						<img src={url} alt={hasUpiId ? m.orders_qr_unused_preview() : m.orders_qr_preview()} />
					)}
				</div>
				<Stack gap={8} align="flex-start" flex={1} miw={200}>
					<FileButton label={m.orders_qr()} icon={IconUpload} disabled={upload.isPending} onFile={send}>
						{upload.isPending ? m.orders_qr_uploading() : m.orders_qr_upload()}
					</FileButton>
					<p className={textClasses.note}>
						{isNotAnImage ? m.orders_qr_no_picture() : hasUpiId ? m.orders_qr_unused_hint() : m.orders_qr_hint()}
					</p>
					<InputError text={upload.failure?.message} />
				</Stack>
			</Group>
		</FieldGroup>
	);
}
