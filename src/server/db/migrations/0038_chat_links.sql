CREATE TABLE "chat_links" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"archive_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"title" text NOT NULL,
	"messages" jsonb NOT NULL,
	"message_count" integer NOT NULL,
	"with_pictures" boolean NOT NULL,
	"left_out" integer NOT NULL,
	"has_earlier" boolean NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_links_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "chat_links" ADD CONSTRAINT "chat_links_user_id_archive_id_archives_user_id_id_fk" FOREIGN KEY ("user_id","archive_id") REFERENCES "public"."archives"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_links_archive" ON "chat_links" USING btree ("user_id","archive_id");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_links_token" ON "chat_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "chat_links_expiry" ON "chat_links" USING btree ("expires_at");