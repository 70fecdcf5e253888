ALTER TABLE "chat_images" ALTER COLUMN "bytes" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_images" ALTER COLUMN "preview" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_files" ALTER COLUMN "bytes" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "profile_pictures" ALTER COLUMN "webp" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_images" ADD COLUMN "hash" text;--> statement-breakpoint
ALTER TABLE "chat_images" ADD COLUMN "size" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_images" ADD COLUMN "preview_hash" text;--> statement-breakpoint
ALTER TABLE "chat_images" ADD COLUMN "preview_size" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "contact_files" ADD COLUMN "hash" text;--> statement-breakpoint
ALTER TABLE "contact_files" ADD COLUMN "size" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "profile_pictures" ADD COLUMN "hash" text;--> statement-breakpoint
ALTER TABLE "profile_pictures" ADD COLUMN "size" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "chat_images" SET "size" = octet_length("bytes"), "preview_size" = octet_length("preview");--> statement-breakpoint
UPDATE "contact_files" SET "size" = octet_length("bytes");--> statement-breakpoint
UPDATE "profile_pictures" SET "size" = octet_length("webp");--> statement-breakpoint
CREATE INDEX "chat_images_hash" ON "chat_images" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "chat_images_preview_hash" ON "chat_images" USING btree ("preview_hash");--> statement-breakpoint
CREATE INDEX "contact_files_hash" ON "contact_files" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "contact_messages_user" ON "contact_messages" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "profile_pictures_hash" ON "profile_pictures" USING btree ("hash");--> statement-breakpoint
CREATE VIEW "public"."user_blobs" AS (
  select user_id, 'profile' as kind, hash, size from profile_pictures
  union all select user_id, 'chat', hash, size from chat_images
  union all select user_id, 'preview', preview_hash, preview_size from chat_images
  union all select contact_messages.user_id, 'contact', contact_files.hash, contact_files.size
    from contact_files join contact_messages on contact_messages.id = contact_files.message_id);