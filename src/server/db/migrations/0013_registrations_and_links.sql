CREATE TABLE "mailed_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"registration_id" uuid,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registrations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"country" text DEFAULT '' NOT NULL,
	"password_hash" text NOT NULL,
	"network" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "code_guards_link";--> statement-breakpoint
ALTER TABLE "code_guards" ADD COLUMN "reset_tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "codes" ADD COLUMN "used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mailed_links" ADD CONSTRAINT "mailed_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailed_links" ADD CONSTRAINT "mailed_links_registration_id_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."registrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mailed_links_user" ON "mailed_links" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "mailed_links_registration" ON "mailed_links" USING btree ("registration_id");--> statement-breakpoint
CREATE INDEX "mailed_links_end" ON "mailed_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "registrations_email" ON "registrations" USING btree ("email","created_at");--> statement-breakpoint
CREATE INDEX "registrations_network" ON "registrations" USING btree ("network","created_at");--> statement-breakpoint
CREATE INDEX "registrations_created" ON "registrations" USING btree ("created_at");--> statement-breakpoint
-- Accounts that were never verified become registrations, with the same ids.
INSERT INTO "registrations" ("id", "email", "first_name", "last_name", "country", "password_hash", "created_at")
	SELECT "id", "email", "first_name", "last_name", "country", "password_hash", "created_at" FROM "users" WHERE "verified_at" IS NULL;--> statement-breakpoint
DELETE FROM "users" WHERE "verified_at" IS NULL;--> statement-breakpoint
ALTER TABLE "code_guards" DROP COLUMN "link_hash";--> statement-breakpoint
ALTER TABLE "code_guards" DROP COLUMN "link_expires_at";