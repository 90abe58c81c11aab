import { Group, Stack } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { FileButton, InputError } from '#web/ui/primitives/file-button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { useUploadPaymentQr } from './book-settings-api.ts';
import classes from './book-settings-dialog.module.css';

interface QrFieldProps {
	initialUrl: string | null;
	/** Whether a UPI ID is saved; buyers then see a QR code generated from it instead of this image. */
	hasUpiId: boolean;
	onUploaded: () => void;
}

/** The payment QR. Any file may be uploaded, but only an image is shown. Uploads take effect at once. */
export function QrField({ initialUrl, hasUpiId, onUploaded }: QrFieldProps) {
	const upload = useUploadPaymentQr();
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
		<fieldset className={classes.group}>
			<legend>{m.orders_qr()}</legend>
			<Group gap={16}>
				<div className={classes.picture}>
					{url === null ? (
						m.orders_qr_none()
					) : (
						<img src={url} alt={hasUpiId ? m.orders_qr_unused_preview() : m.orders_qr_preview()} />
					)}
				</div>
				<Stack gap={8} align="flex-start" flex={1} miw={200}>
					<FileButton
						label={m.orders_qr()}
						icon={<IconUpload {...iconProps} />}
						disabled={upload.isPending}
						onFile={send}
					>
						{upload.isPending ? m.orders_qr_uploading() : m.orders_qr_upload()}
					</FileButton>
					<p className={classes.hint}>
						{isNotAnImage ? m.orders_qr_no_picture() : hasUpiId ? m.orders_qr_unused_hint() : m.orders_qr_hint()}
					</p>
					<InputError text={upload.isError ? describeFailure(upload.error).message : undefined} />
				</Stack>
			</Group>
		</fieldset>
	);
}
